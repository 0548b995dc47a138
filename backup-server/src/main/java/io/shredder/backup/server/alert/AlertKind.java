// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.util.Locale;

/** What can be wrong, and what to do. */
public enum AlertKind {
    /** An image's last backup failed. */
    IMAGE_FAILED(
            "the backup of an image failed",
            "look at the message, mend it, and run the job at the console, or wait for its next time: what 'backup-server"
                    + " run' backs up is not heard of here"),
    /** An image has not been backed up for too long, whatever the reason. */
    IMAGE_SILENT(
            "an image has had no successful backup for too long",
            "see whether the daemon runs, when the job is due, and what its last run said"),
    /** Scheduled times went by. */
    JOB_MISSED(
            "a job's time went by without a run",
            "the daemon did not run, an earlier run was still under way, or its state folder's disk is full: see its"
                    + " log"),
    /** A backup does not advance. */
    JOB_STALLED(
            "nothing advances of a backup that is under way",
            "see whether the agent, the network and the image's disk answer"),
    /** So much changed, and compresses so badly, as never before. */
    UNLIKE_BEFORE(
            "an image changed as it never has before: so do machines whose files are being encrypted",
            "look at the machine before anything is pruned; older snapshots are unharmed"),
    /** What keeps track of a disk's changes did not tell all of them. */
    CHANGES_UNTRUE(
            "the tracking of a disk's changes lied: snapshots before may be wrong",
            "don't trust the snapshots that are named; find what writes the disk beside its machine, or restored or"
                    + " replaced it with its bitmaps"),
    /** Verification found other bytes than were kept. */
    DAMAGE_FOUND(
            "the agent's store has damage",
            "back the images that are named up again, or bring what is lost from a second agent: shredder-backup repair;"
                    + " and look at the agent's disk"),
    /** A throw-away machine did not start. */
    BOOT_FAILED(
            "a machine did not start from an image's newest snapshot",
            "look at the picture of its screen, start it by hand with 'shredder-backup boot', and see whether the"
                    + " machine itself still starts"),
    /** Care was not taken. */
    CARE_FAILED(
            "verification, copying, a boot test or pruning could not be done, or takes too long",
            "look at the message, mend it, and run it at the console, or wait for its next time: what 'backup-server run'"
                    + " does is not heard of here"),
    /** Rules would delete, and something that nobody has been told of speaks against it. */
    PRUNE_HELD(
            "nothing of an image is deleted, though rules would",
            "look at the message; until it is mended all snapshots of the image stay"),
    /** The agent wants another client to confirm a deletion. */
    DELETION_WAITS(
            "a deletion by rules waits for a second person",
            "look at it with 'shredder-backup pending', and confirm or withdraw it"),
    /** An agent shows less than it had, or other than was committed. */
    AGENT_WENT_BACK(
            "an agent shows less than it had, or other than was committed",
            "find out why before anything else is done: was its disk restored or exchanged, or did somebody delete"
                    + " there? Only if that was right, say so: shredder-backup accept IMAGE"),
    /** The agent's disk will be full soon. */
    STORE_FILLS(
            "the agent's store will soon be full",
            "prune more and have the agent give space back (gc), set quotas, or give it a larger disk"),
    /** This machine's clock, or the agent's, is wrong. */
    CLOCK_WRONG(
            "this machine's clock is wrong, or the agent's is",
            "see which one is, by another clock, and set it: timedatectl; keep both right by NTP"),
    /** A keeper of the agent's store does not answer. */
    KEEPER_AWAY(
            "a keeper of the agent's store is away, silent or left out",
            "bring it back, or replace it at the agent: backup-agent replace-keeper"),
    /** A keeper has other bytes than it was given. */
    KEEPER_DAMAGED(
            "a keeper of the agent's store has damage", "look at that machine's disk; the agent mends what it finds"),
    /** The agent's store takes nothing any more. */
    STORE_READ_ONLY("the agent's store takes no more backups", "bring keepers back until enough answer"),
    /** A certificate ends soon. */
    CERTIFICATE_ENDS(
            "this site's certificate ends soon",
            "invite this site again at the agent, or make a new certificate: backup-agent certs"),
    /** A configuration that is wrong is not used. */
    CONFIGURATION_REFUSED(
            "a changed configuration was refused; the one before goes on",
            "correct it: backup-server check-config names all that is wrong");

    private final String meaning;
    private final String remedy;

    AlertKind(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** In a message and a file. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** In words. */
    public String meaning() {
        return meaning;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
