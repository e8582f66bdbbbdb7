"""The seed's session, played: fourteen tools, one of them pruned, a migration, and a model that fails open."""
