"""The stand-alone verifier of certificate bundles: one file that shares no code with the rest."""
