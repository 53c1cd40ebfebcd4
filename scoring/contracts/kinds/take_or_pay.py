"""A take-or-pay agreement: hours that are paid whether they are used or not."""

from scoring.contracts.kinds.interface import Kind

KIND = Kind(
    name="take_or_pay",
    aliases=("reservation", "reserved", "reserved_instance", "neocloud", "neocloud_take_or_pay"),
)
