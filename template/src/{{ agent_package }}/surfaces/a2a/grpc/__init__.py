"""A2A over gRPC: the packages of 1.0 and of 0.3 on one port."""
