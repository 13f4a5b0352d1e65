"""What holds the door: connections, hosts, quotas, and content that anybody may have written."""
