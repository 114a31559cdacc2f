"""Mutants: small mistakes put into the code that decides, each of which some test must notice.

`changes` makes them, `touched` knows which tests run which line, `trying` puts one in a copy of the project
and runs those tests, quickest first. `python -m tools.mutants` tries what is missing of a seeded sample.
"""
