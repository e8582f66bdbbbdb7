"""Pruner models, one a file, each naming the runtime or the text it stands for."""
