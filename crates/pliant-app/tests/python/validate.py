"""Validates scene files against a schema with jsonschema: validate.py SCHEMA SCENE..."""

import json
import sys
import tomllib

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
validator = jsonschema.Draft202012Validator(schema)
jsonschema.Draft202012Validator.check_schema(schema)
for scene in sys.argv[2:]:
    with open(scene, "rb") as file:
        faults = [f"{scene}: {list(e.absolute_path)}: {e.message[:200]}" for e in validator.iter_errors(tomllib.load(file))]
    print("\n".join(faults) if faults else f"{scene}: valid")
