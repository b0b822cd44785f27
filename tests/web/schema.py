"""Validates answers against a JSON Schema.

    python schema.py SCHEMA ANSWERS

Each line of ANSWERS is a JSON list: the name of a definition, whether the answer is valid, and the answer. Clients ignore unknown fields, but here an
answer may have only fields that its definition names.
"""

import json, sys
import jsonschema_rs

schema = json.load(open(sys.argv[1]))
jsonschema_rs.meta.validate(schema)
for name, part in schema["$defs"].items():
    # A problem may have more members, and an Answer is a part of a ChipsAnswer.
    if name not in ("Answer", "Problem"):
        part["unevaluatedProperties"] = False
validators = {
    name: jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}) for name in schema["$defs"]
}
counts = {}
for line in open(sys.argv[2]):
    name, valid, answer = json.loads(line)
    fault = next(validators[name].iter_errors(answer), None)
    if valid and fault:
        sys.exit(f"{name}: {fault} in {json.dumps(answer)[:2000]}")
    if not valid and not fault:
        sys.exit(f"{name} accepts {json.dumps(answer)[:2000]}")
    counts[name] = counts.get(name, 0) + 1
print(json.dumps(counts))
