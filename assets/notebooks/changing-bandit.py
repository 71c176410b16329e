# %% [markdown]
# # A bandit that changes
# Ten arms whose rewards change while you play. Who forgets at the right pace? (Chen, Ito and Imaizumi 2025)

# %%
import matplotlib.pyplot as plt
import numpy as np

import emergence

# %% [markdown]
# ## 1. The race
# Every algorithm plays the same environments. Regret is what it lost against the best arm of each round.

# %%
run = emergence.run("bandit-race", seeds=20, progress=False)


def final_regret(run, name):
    return run.metrics[f"regret_{name}"][:, -1]


for name in ("linucb", "sliding-window", "thompson", "transformer", "random"):
    regret = run.metrics[f"regret_{name}"]
    plt.plot(run.metrics["step"], np.nanmean(regret, axis=0), label=name)
plt.xlabel("rounds"), plt.ylabel("dynamic regret"), plt.legend()
plt.show()

# %%
run.picture("bandit-race-rewards")

# %% [markdown]
# **Predict.** If the rewards change four times as slowly, does LinUCB, which forgets nothing, gain or lose against the
# sliding window?

# %%
frequency = 0.018  # your turn

# %% [solution]
frequency = 0.0045

# %%
slow = emergence.run("bandit-race", seeds=20, frequency=frequency, progress=False)
for name in ("linucb", "sliding-window"):
    print(f"{name}: {np.mean(final_regret(run, name)):.0f} -> {np.mean(final_regret(slow, name)):.0f}")

# %% [markdown]
# ## 2. The right memory
# **Your turn.** Run the sliding window with several windows and draw its regret against them. Which is best, and why is
# it not the longest?

# %%
windows = [20]  # your turn

# %% [solution]
windows = [5, 10, 20, 40, 80, 160]

# %%
losses = []
for window in windows:
    raced = emergence.run("bandit-race", seeds=20, window=window, transformer="none", progress=False)
    losses.append(np.mean(final_regret(raced, "sliding-window")))
plt.semilogx(windows, losses, "o-"), plt.xlabel("rounds remembered"), plt.ylabel("final regret")
plt.show()

# %% [markdown solution]
# A short memory knows little; a long one remembers what is no longer true. 40 rounds is worst: the period is 1 / 0.018,
# about 56 rounds, so half of what it remembers has the opposite sign.

# %% [markdown]
# ## 3. Two runs, compared
# Differences over the same environments, with intervals.

# %%
emergence.compare(run, slow)
