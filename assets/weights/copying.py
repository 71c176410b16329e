"""Trains a small attention layer with PyTorch, and saves its matrices while it learns: copying.npz beside this file.

Nothing here uses Emergence: copying.npz stands for a file of your own. The task is to copy. Ten cards lie on the table,
each with another letter and one of six colours; the answer to a letter is the colour of its card. A row is a one-hot
letter beside a one-hot colour, and the layer is softmax attention of one head:

    answer = softmax(q W_QK X') X W_OV            q: 1 x 16, X: 10 x 16

Run with: python3 copying.py
"""

from pathlib import Path

import numpy as np
import torch

LETTERS, COLOURS, RANK, BATCH, SNAPSHOTS, EVERY = 10, 6, 16, 128, 61, 5
SIZE = LETTERS + COLOURS

torch.manual_seed(0)
torch.set_num_threads(1)
parts = [torch.nn.Parameter(0.05 * torch.randn(SIZE, RANK)) for _ in range(4)]  # W_Q, W_K, W_O, W_V
optimiser = torch.optim.Adam(parts, lr=0.004)


def matrices():
    w_q, w_k, w_o, w_v = parts
    return {"W_QK": w_q @ w_k.T, "W_OV": w_v @ w_o.T}


def loss_of_a_batch():
    colours = torch.randint(COLOURS, (BATCH, LETTERS))
    asked = torch.randint(LETTERS, (BATCH,))
    letters = torch.eye(LETTERS).expand(BATCH, -1, -1)
    cards = torch.cat([letters, torch.nn.functional.one_hot(colours, COLOURS).float()], dim=2)
    query = torch.cat([torch.eye(LETTERS)[asked], torch.zeros(BATCH, COLOURS)], dim=1)
    now = matrices()
    attention = torch.softmax(torch.einsum("bi,ij,bnj->bn", query, now["W_QK"], cards), dim=1)
    answer = torch.einsum("bn,bni,ij->bj", attention, cards, now["W_OV"])
    return torch.nn.functional.cross_entropy(answer[:, LETTERS:], colours.gather(1, asked[:, None])[:, 0])


saved = {"W_QK": [], "W_OV": [], "steps": []}
for step in range((SNAPSHOTS - 1) * EVERY + 1):
    loss = loss_of_a_batch()
    if step % EVERY == 0:
        for name, matrix in matrices().items():
            saved[name].append(matrix.detach().numpy().copy())
        saved["steps"].append(step)
        print(f"step {step:4d}  loss {loss.item():.3f}")
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
np.savez_compressed(Path(__file__).with_suffix(".npz"), **{name: np.array(rows) for name, rows in saved.items()})
