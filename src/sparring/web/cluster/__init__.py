"""Clusters: several processes that form one server, with table ownership and proxying."""
