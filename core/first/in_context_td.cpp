// The whole algorithm on one page: a transformer that is trained only to predict values, and learns to run TD(0) in its
// forward pass (Wang et al. 2025). Plain C++, no library; this is where a reader of the code begins. Everything else in
// core does the same faster, for more settings, and with measurements. A test holds the two against each other.
//
//     g++ -std=c++20 -O3 core/first/in_context_td.cpp -o /tmp/first && /tmp/first
//
// It trains one network with the paper's settings (20 s) and prints P and Q, whose pattern is the finding: only P's
// corner stays large, and Q pairs phi with phi (negative) and phi with gamma phi' (positive). With these two matrices
// each layer takes one step of TD(0) on the transitions in its prompt.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace first {

constexpr int d = 4;          // features of a state
constexpr int n = 30;         // transitions in a prompt
constexpr int L = 3;          // layers, which share P and Q
constexpr int D = 2 * d + 1;  // rows of a prompt: phi, gamma phi', R
constexpr int kStates = 10;   // of a Boyan chain
constexpr int kBatch = 64;    // prompts in an update
constexpr int kUpdatesPerChain = 5;
constexpr int kChains = 4000;
constexpr double gamma = 0.9;

// ---- The world: Markov reward processes ------------------------------------------------------------------------

using Random = std::mt19937_64;
double uniform(Random& random, double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
}

// A Boyan chain with random transitions, rewards and features: state i goes to i+1 or i+2, the last one anywhere.
struct Chain {
    std::array<std::array<double, kStates>, kStates> transition{};
    std::array<double, kStates> start{}, reward{};
    std::array<std::array<double, d>, kStates> phi{};
};

void draw_distribution(Random& random, std::array<double, kStates>& p) {
    double sum = 0;
    for (double& x : p) sum += x = uniform(random, 0.01, 0.99);
    for (double& x : p) x /= sum;
}

Chain draw_chain(Random& random) {
    Chain chain;
    for (int i = 0; i + 2 < kStates; ++i) {
        chain.transition[i][i + 1] = uniform(random, 0.01, 0.99);
        chain.transition[i][i + 2] = 1 - chain.transition[i][i + 1];
    }
    chain.transition[kStates - 2][kStates - 1] = 1;
    draw_distribution(random, chain.transition[kStates - 1]);
    draw_distribution(random, chain.start);
    for (double& r : chain.reward) r = uniform(random, -1, 1);
    for (auto& phi : chain.phi)
        for (double& x : phi) x = uniform(random, -1, 1);
    return chain;
}

// What the network is trained on: phi(S_0) .. phi(S_{T-1}) and R_1 .. R_T along one walk through a chain.
struct Trajectory {
    std::vector<std::array<double, d>> phi;
    std::vector<double> reward;
};

int draw_state(Random& random, const std::array<double, kStates>& p) {
    double left = uniform(random, 0, 1);
    for (int s = 0; s < kStates; ++s)
        if ((left -= p[s]) < 0) return s;
    return kStates - 1;
}

Trajectory walk(Random& random, const Chain& chain, int length) {
    Trajectory path;
    for (int t = 0, state = draw_state(random, chain.start); t < length; ++t) {
        path.phi.push_back(chain.phi[state]);
        path.reward.push_back(chain.reward[state]);
        state = draw_state(random, chain.transition[state]);
    }
    return path;
}

// ---- The prompt ------------------------------------------------------------------------------------------------

using Square = std::array<std::array<double, D>, D>;
using Prompt = std::array<std::array<double, n + 1>, D>;

// Z_0: column i holds [phi(S_i); gamma phi(S_{i+1}); R_{i+1}], the last column the query [phi(S_{n+1}); 0; 0].
Prompt prompt_at(const Trajectory& path, int t) {
    Prompt Z{};
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < d; ++k) {
            Z[k][i] = path.phi[t + i][k];
            Z[d + k][i] = gamma * path.phi[t + i + 1][k];
        }
        Z[D - 1][i] = path.reward[t + i];
    }
    for (int k = 0; k < d; ++k) Z[k][n] = path.phi[t + n + 1][k];
    return Z;
}

// ---- Matrices --------------------------------------------------------------------------------------------------

Square product(const Square& A, const Square& B) {
    Square C{};
    for (int i = 0; i < D; ++i)
        for (int k = 0; k < D; ++k)
            for (int j = 0; j < D; ++j) C[i][j] += A[i][k] * B[k][j];
    return C;
}

Square transposed(const Square& A) {
    Square B;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) B[i][j] = A[j][i];
    return B;
}

// sum over the first `columns` columns of x_j y_j'
Square outer(const Prompt& X, const Prompt& Y, int columns) {
    Square C{};
    for (int i = 0; i < D; ++i)
        for (int k = 0; k < D; ++k)
            for (int j = 0; j < columns; ++j) C[i][k] += X[i][j] * Y[k][j];
    return C;
}

// Z += A X in the first `columns` columns
void add_product(const Square& A, const Prompt& X, int columns, Prompt& Z) {
    for (int i = 0; i < D; ++i)
        for (int k = 0; k < D; ++k)
            for (int j = 0; j < columns; ++j) Z[i][j] += A[i][k] * X[k][j];
}

void add(const Square& A, double scale, Square& to) {
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) to[i][j] += scale * A[i][j];
}

// ---- The network -----------------------------------------------------------------------------------------------

struct Weights {
    Square P{}, Q{};
};

// Eq. (2) to (4): linear attention, L times with the same weights,
//
//     Z_{l+1} = Z_l + (1/n) P Z_l M Z_l' Q Z_l,   value = - Z_L[D, n+1]
//
// The mask M leaves out the query's column, so Z_l M Z_l' = G_l, a sum over the context, and Z_{l+1} = Z_l + T_l Z_l
// with T_l = (1/n) P G_l Q. Keeps what the backward pass needs.
struct Forward {
    std::array<Prompt, L + 1> Z;
    std::array<Square, L> G, T;

    Forward(const Weights& w, const Prompt& prompt) {
        Z[0] = prompt;
        for (int l = 0; l < L; ++l) {
            G[l] = outer(Z[l], Z[l], n);
            T[l] = {};
            add(product(w.P, product(G[l], w.Q)), 1.0 / n, T[l]);
            Z[l + 1] = Z[l];
            add_product(T[l], Z[l], n + 1, Z[l + 1]);
        }
    }
    double value() const { return -Z[L][D - 1][n]; }
};

// Adds by_value * (d value / d weights). Layer by layer from the last, with dX for the derivative by X:
//
//     Z_{l+1} = Z_l + T_l Z_l        dT = dZ_{l+1} Z_l',   dZ_l = dZ_{l+1} + T_l' dZ_{l+1}
//     T_l = (1/n) P G_l Q            dP += (1/n) dT (G_l Q)',   dQ += (1/n) (P G_l)' dT,   dG = (1/n) P' dT Q'
//     G_l = Z_l M Z_l'               dZ_l += (dG + dG') Z_l M
void backward(const Weights& w, const Forward& pass, double by_value, Weights& gradient) {
    Prompt dZ{};
    dZ[D - 1][n] = -by_value;
    for (int l = L - 1; l >= 0; --l) {
        const Square dT = outer(dZ, pass.Z[l], n + 1);
        add(product(dT, transposed(product(pass.G[l], w.Q))), 1.0 / n, gradient.P);
        add(product(transposed(product(w.P, pass.G[l])), dT), 1.0 / n, gradient.Q);
        const Square dG = product(transposed(w.P), product(dT, transposed(w.Q)));
        Square both{};  // dG + dG'
        add(dG, 1.0 / n, both);
        add(transposed(dG), 1.0 / n, both);
        const Prompt after = dZ;
        add_product(transposed(pass.T[l]), after, n + 1, dZ);
        add_product(both, pass.Z[l], n, dZ);
    }
}

// ---- Training: Algorithm 1, multi-task TD ----------------------------------------------------------------------

// The loss of a window that slides 64 times along one trajectory, and its gradient:
//
//     loss = (1/64) sum_t (R_{t+n+2} + gamma v(Z_{t+1}) - v(Z_t))^2
//
// The target R + gamma v(Z_{t+1}) is held fixed (semi-gradient): that is TD.
double loss_of(const Weights& w, const Trajectory& path, Weights& gradient) {
    gradient = {};
    double loss = 0, next_value = Forward(w, prompt_at(path, kBatch)).value();
    for (int t = kBatch - 1; t >= 0; --t) {
        const Forward pass(w, prompt_at(path, t));
        const double delta = path.reward[t + n + 1] + gamma * next_value - pass.value();
        loss += delta * delta / kBatch;
        backward(w, pass, -2 * delta / kBatch, gradient);
        next_value = pass.value();
    }
    return loss;
}

// Adam (Kingma and Ba 2015) with the authors' constants; weight decay is an L2 term in the gradient.
struct Adam {
    Weights mean, square;
    int steps = 0;

    void step(Weights& w, const Weights& gradient) {
        ++steps;
        step_matrix(w.P, gradient.P, mean.P, square.P);
        step_matrix(w.Q, gradient.Q, mean.Q, square.Q);
    }
    void step_matrix(Square& w, const Square& gradient, Square& m, Square& v) const {
        const double mean_share = 1 - std::pow(0.9, steps), square_share = 1 - std::pow(0.999, steps);
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
                const double g = gradient[i][j] + 1e-6 * w[i][j];
                m[i][j] = 0.9 * m[i][j] + 0.1 * g;
                v[i][j] = 0.999 * v[i][j] + 0.001 * g * g;
                w[i][j] -= 1e-3 * (m[i][j] / mean_share) / (std::sqrt(v[i][j] / square_share) + 1e-8);
            }
    }
};

Weights draw_weights(Random& random) {  // Xavier normal with gain 0.1
    std::normal_distribution<double> normal(0, 0.1 / std::sqrt(D));
    Weights w;
    for (Square* matrix : {&w.P, &w.Q})
        for (auto& row : *matrix)
            for (double& x : row) x = normal(random);
    return w;
}

// Divided by its largest entry, as the paper shows it. P and Q may both change their sign: P's corner is shown
// positive.
void print(const char* name, const Square& A, double sign) {
    double largest = 0;
    for (const auto& row : A)
        for (const double x : row) largest = std::max(largest, std::abs(x));
    std::printf("\n%s, divided by %.3f\n", name, sign * largest);
    for (const auto& row : A) {
        for (const double x : row) std::printf("%7.2f", sign * x / largest);
        std::printf("\n");
    }
}

void train_one_network() {
    Random random(1);
    Weights w = draw_weights(random), gradient;
    Adam adam;
    double mean_loss = 0;
    for (int chain_number = 1; chain_number <= kChains; ++chain_number) {
        const Chain chain = draw_chain(random);
        for (int update = 0; update < kUpdatesPerChain; ++update) {
            mean_loss += loss_of(w, walk(random, chain, n + kBatch + 2), gradient) / kUpdatesPerChain / 200;
            adam.step(w, gradient);
        }
        if (chain_number % 200 == 0) {
            std::printf("%5d chains: loss %.4f\n", chain_number, mean_loss);
            std::fflush(stdout);
            mean_loss = 0;
        }
    }
    const double sign = w.P[D - 1][D - 1] < 0 ? -1 : 1;
    print("P", w.P, sign);
    print("Q", w.Q, sign);
}

}  // namespace first

int main() {
    first::train_one_network();
    return 0;
}
