"""The meaning: tool, budget, pruner, environment, response, session, property, trace, verdict.

Standard library only.
"""
