# %% [markdown]
# # In-context TD in twenty minutes
# A small transformer learns to predict values. Nothing tells it how. At the end you will have read an algorithm off its
# weights (Wang et al. 2025).

# %%
import matplotlib.pyplot as plt
import numpy as np

import emergence

# %% [markdown]
# ## 1. A prompt is a piece of experience
# Every column of a prompt is a transition: the features of a state, the next state's features times gamma, and the
# reward. The last column is the query: the state to be valued.

# %%
prompts = emergence.sample_prompts(100, seed=1)
print(prompts.shape)  # prompts x (2d + 1) x (n + 1)
plt.matshow(prompts[0], cmap="RdBu", vmin=-1, vmax=1)
plt.yticks([0, 4, 8], ["phi", "gamma phi'", "reward"])
plt.show()

# %% [markdown]
# **Predict.** Which rows must be zero in the last column, and why?

# %% [markdown solution]
# All rows but the first d: the query is only a state. The network has not seen its next state or its reward.

# %% [markdown]
# ## 2. Train
# Four networks, each on 1500 random Markov reward processes.

# %%
run = emergence.run("td", seeds=4, num_mrps=1500, bank_size=300, progress=False)
steps = run.metrics["step"]
plt.plot(steps, run.metrics["msve"].T, color="tab:blue")
plt.plot(steps, run.metrics["msve_batch_td"].mean(axis=0), "k--", label="batch TD")
plt.xlabel("MRPs"), plt.ylabel("value error on held-out tasks"), plt.legend()
plt.show()
[seed.computes for seed in run.status]

# %% [markdown]
# ## 3. Look into the weights
# Theory says what P and Q must be to run TD (Theorem 1). Here are the means over the networks beside theory's.

# %%
run.picture("td-matrices")

# %% [markdown]
# **Your turn.** Q has two diagonals. Measure them in each network: the trace of `Q[:d, :d]` and of `Q[:d, d:2*d]`.
# Which one bootstraps, that is, reads the next state?

# %% [solution]
d = 4
for P, Q in zip(run.P[:, 0], run.Q[:, 0]):
    sign = np.sign(P[-1, -1])  # P and Q may change their signs together
    print(f"upper left {sign * np.trace(Q[:d, :d]):6.2f}, upper right {sign * np.trace(Q[:d, d:2 * d]):6.2f}")
# The upper right one: it multiplies gamma phi'.

# %% [markdown]
# ## 4. Be the network
# Batch TD starts at w = 0 and repeats w <- w + alpha (1/n) sum_i (R_i + gamma w'phi'_i - w'phi_i) phi_i.
#
# **Your turn.** Write it for one prompt, three steps, and return w'phi of the query.

# %%
def batch_td(prompt, alpha, steps=3, d=4):
    return 0.0  # your turn


# %% [solution]
def batch_td(prompt, alpha, steps=3, d=4):
    phi, next_phi, reward = prompt[:d, :-1], prompt[d:2 * d, :-1], prompt[-1, :-1]
    w = np.zeros(d)
    for _ in range(steps):
        error = reward + w @ next_phi - w @ phi
        w = w + alpha * phi @ error / len(reward)
    return w @ prompt[:d, -1]


# %%
network = emergence.forward(run.P[0], run.Q[0], prompts)
td = np.array([batch_td(prompt, alpha=1.0) for prompt in prompts])
plt.scatter(td, network, s=8), plt.xlabel("batch TD"), plt.ylabel("network 0")
plt.show()
print("correlation", np.corrcoef(td, network)[0, 1] if td.any() else "batch_td() is not written yet")

# %% [markdown]
# ## 5. Ask the laboratory
# beta says how much a network bootstraps, c how much of the residual gradient it follows: (1, 0) is TD.

# %%
emergence.identify(run)
