"""One algorithm a file behind one interface; `table` lists them."""
