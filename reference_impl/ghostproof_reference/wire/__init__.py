"""Provider formats: one file a format, each reading a payload into a request and writing a request back."""
