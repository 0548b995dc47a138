#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A database that is written all the time, in a guest whose backups are proven by it.

Each transaction moves money between two accounts and counts itself; SQLite forces it to the disk before it says so.
Whoever opens the file later finds the sum unchanged, each transaction or none of it, and every number that was said.
Standard output gets a line a second: `ledger COMMITTED MS MS ...`, with how long each of that second's transactions took.
"""

import random
import sqlite3
import time

ACCOUNTS = 1000
EACH = 1000
PAUSE_S = 0.02


def opened():
    ledger = sqlite3.connect("/var/lib/ledger.db", isolation_level=None)
    ledger.execute("PRAGMA journal_mode = WAL")
    ledger.execute("PRAGMA synchronous = FULL")
    ledger.execute("BEGIN IMMEDIATE")
    ledger.execute("CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY, money INTEGER NOT NULL)")
    ledger.execute("CREATE TABLE IF NOT EXISTS moved (id INTEGER PRIMARY KEY, source INTEGER, target INTEGER, note TEXT)")
    if ledger.execute("SELECT count(*) FROM account").fetchone()[0] == 0:
        ledger.executemany("INSERT INTO account VALUES (?, ?)", ((i, EACH) for i in range(ACCOUNTS)))
    ledger.execute("COMMIT")
    return ledger


def move(ledger):
    source, target = random.sample(range(ACCOUNTS), 2)
    amount = random.randrange(100)
    note = "%x" % random.getrandbits(800)
    ledger.execute("BEGIN IMMEDIATE")
    ledger.execute("UPDATE account SET money = money - ? WHERE id = ?", (amount, source))
    ledger.execute("UPDATE account SET money = money + ? WHERE id = ?", (amount, target))
    moved = ledger.execute("INSERT INTO moved (source, target, note) VALUES (?, ?, ?)", (source, target, note))
    ledger.execute("COMMIT")
    return moved.lastrowid


def main():
    ledger = opened()
    while True:
        took = []
        end = time.monotonic() + 1
        while time.monotonic() < end:
            begin = time.monotonic()
            committed = move(ledger)
            took.append(1000 * (time.monotonic() - begin))
            time.sleep(PAUSE_S)
        print("ledger", committed, *("%.1f" % ms for ms in took), flush=True)


main()
