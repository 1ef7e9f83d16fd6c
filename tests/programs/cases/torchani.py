"""Potentials of atoms that networks learn."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from torchani.arch import simple_ani, simple_aniq
from torchani.grad import energies_forces_and_hessians, vibrational_analysis
from torchani.units import hartree2kcalpermol
from torchani.utils import get_atomic_masses

SYMBOLS = ("H", "C", "N", "O")


def run() -> Any:
    """Energies, forces, stress, Hessians and vibrations; a step; charges."""
    found: dict[str, Any] = {}
    species = torch.tensor([[6, 1, 1, 1, 1], [8, 1, 1, -1, -1]])
    grid = torch.tensor([[0.0, 0, 0], [1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1]])
    places = (0.63 * grid + 0.02 * numbers("places", 2, 5, 3)).double().requires_grad_()
    for neighbors, count in (("all_pairs", 2), ("cell_list", 1)):
        net = filled(
            simple_ani(SYMBOLS, "wb97x-631gd", 2, neighborlist=neighbors, dispersion=True)
        ).double()
        energies = net((species[:count], places[:count])).energies
        (force,) = torch.autograd.grad(-energies.sum(), places, create_graph=True)
        loss = energies.square().mean() * 1e-3 + force.square().mean()
        found |= {f"{neighbors}.{key}": value for key, value in trained(net, loss).items()}
        found |= {f"{neighbors}.force": force, f"{neighbors}.unit": hartree2kcalpermol(energies)}
        cell, walls = 11 * torch.eye(3).double(), torch.ones(3, dtype=torch.bool)
        periodic = net((species[:count], places[:count]), cell=cell, pbc=walls)
        found[f"{neighbors}.periodic"] = periodic.energies
    net = filled(simple_ani(SYMBOLS, "wb97x-631gd")).double()
    out = energies_forces_and_hessians(net, species[:1], places[:1].detach())
    found |= {"forces": out.forces, "hessians": out.hessians}
    vibrations = vibrational_analysis(get_atomic_masses(species[:1]), out.hessians.float())
    found["frequencies"] = vibrations.freqs.nan_to_num().sort().values[6:]
    net = filled(simple_aniq(SYMBOLS, "wb97x-631gd")).double()
    charged = net((species, places))
    found |= {"charges": charged.atomic_charges, "charged": charged.energies}
    return found
