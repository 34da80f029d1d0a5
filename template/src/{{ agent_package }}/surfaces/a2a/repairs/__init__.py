"""Gaps of a2a-sdk, one module each.

`tests/test_a2a_repairs.py` shows each gap on the SDK alone, and fails once the SDK has closed it:
the module can go then.
"""
