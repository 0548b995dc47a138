#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a Compose file by the Compose Specification's JSON schema, and prints it as JSON with its variables replaced.

    tools/compose-model.py SCHEMA FILE

Variables are the environment's. Exit codes: 0 it is as the schema says, 1 it isn't, or lacks a variable, 2 wrong usage.
"""
import json
import os
import pathlib
import re
import sys

import jsonschema
import yaml

VARIABLE = re.compile(r"\$(?:(\$)|\{(\w+)(?:(:-|:\?)([^}]*))?\})")


def value(found):
    dollar, name, operator, word = found.groups()
    if dollar:
        return "$"
    if os.environ.get(name):
        return os.environ[name]
    if operator == ":-":
        return word
    sys.exit(f"compose-model: {name} is not set: {word or 'set it'}")


def replaced(node):
    if isinstance(node, str):
        return VARIABLE.sub(value, node)
    if isinstance(node, dict):
        return {key: replaced(each) for key, each in node.items()}
    if isinstance(node, list):
        return [replaced(each) for each in node]
    return node


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    schema, file = (pathlib.Path(each) for each in arguments)
    model = replaced(yaml.safe_load(file.read_text()))
    rules = json.loads(schema.read_text())
    validator = jsonschema.validators.validator_for(rules)(rules)
    problems = [f"{'.'.join(map(str, each.path))}: {each.message}" for each in validator.iter_errors(model)]
    if problems:
        sys.exit("\n".join(f"compose-model: {file}: {each}" for each in problems))
    json.dump(model, sys.stdout, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
