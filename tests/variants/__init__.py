"""What is expected of the models of real runtimes."""
