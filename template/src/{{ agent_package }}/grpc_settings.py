"""The settings of gRPC."""

import re
from pathlib import Path
from typing import Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings

USUAL_PORT = 50051
LAST_PORT = 65535
ADDRESS = re.compile(r"(https://)?([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?")


class GrpcSettings(BaseSettings):
    """`Settings` has all of these; the environment variable of each is its name in upper case."""

    grpc_port: int = Field(default=USUAL_PORT, ge=0, le=LAST_PORT)
    """Where gRPC listens; 0 takes a port that is free, which the log names."""
    public_grpc_url: str = ""
    """What the card says of gRPC, for example `grpc.example.com:443`."""
    grpc_tls_cert: Path | None = None
    grpc_tls_key: Path | None = None
    """Files in PEM; without them a proxy has to end TLS."""

    @field_validator("public_grpc_url")
    @classmethod
    def _an_address_of_grpc(cls, value: str) -> str:
        if value and not ADDRESS.fullmatch(value):
            raise ValueError("write a host and a port, for example grpc.example.com:443")
        return value

    @model_validator(mode="after")
    def _both_files_of_tls(self) -> Self:
        files = {"GRPC_TLS_CERT": self.grpc_tls_cert, "GRPC_TLS_KEY": self.grpc_tls_key}
        if any(files.values()) and not all(file and file.is_file() for file in files.values()):
            raise ValueError(f"{' and '.join(files)} must both name a file")
        return self
