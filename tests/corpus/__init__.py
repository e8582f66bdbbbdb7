"""The known corpus: pruner models whose answers are known, and the test that every engine gives them."""
