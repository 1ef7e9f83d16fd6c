"""Kinematics of robots."""

from __future__ import annotations

from typing import Any

import pytorch_kinematics as pk
import torch
from inputs import numbers

URDF = """<robot name="arm">
<link name="base"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="end"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 0.3" rpy="0 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.1 0 0.2" rpy="1.57 0 0"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="j3" type="prismatic"><parent link="l2"/><child link="l3"/><origin xyz="0 0.3 0" rpy="0 0.5 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="j4" type="fixed"><parent link="l3"/><child link="end"/><origin xyz="0 0 0.1" rpy="0 0 0"/></joint>
</robot>"""


def run() -> Any:
    """Poses of an arm, their derivatives, and angles for given poses."""
    chain = pk.build_serial_chain_from_urdf(URDF, "end")
    angles = (0.5 * numbers("angles", 5, 3)).requires_grad_()
    pose = chain.forward_kinematics(angles).get_matrix()
    pose[:, :3, 3].square().sum().backward()
    found = {"pose": pose, "grad": angles.grad, "jacobian": chain.jacobian(angles.detach())}
    rotations = pk.random_rotations(4) if hasattr(pk, "random_rotations") else pose[:4, :3, :3]
    found["quaternions"] = pk.matrix_to_quaternion(rotations)
    found["euler"] = pk.matrix_to_euler_angles(rotations, "XYZ")
    torch.manual_seed(0)
    goal = pk.Transform3d(matrix=pose[:2].detach())
    ik = pk.PseudoInverseIK(
        chain,
        max_iterations=30,
        num_retries=5,
        joint_limits=torch.tensor(chain.get_joint_limits()).T,
        early_stopping_any_converged=True,
        debug=False,
        lr=0.2,
    )
    found["ik"] = ik.solve(goal).err_pos < 0.01
    return found
