"""Provider formats read into one view of a request, and what is resident in that view."""
