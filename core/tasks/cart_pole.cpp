#include "core/tasks/cart_pole.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"

namespace emergence {

CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::task_parameters, index);
    CartPoleParameters p{};
    p.cart_mass = stream.uniform(0.5, 1.5);
    const double mass = stream.uniform();
    p.pole_mass = heavy_pole ? 0.5 + mass : 0.05 + 0.1 * mass;
    p.half_length = stream.uniform(0.5, 1.5);
    p.gravity = stream.uniform(7, 12);
    p.time_step = stream.uniform(0.01, 0.05);
    p.force = stream.uniform(5, 15);
    p.push_right = stream.uniform();
    return p;
}

CartPoleState cart_pole_step(const CartPoleParameters& p, const CartPoleState& state, double push) {
    const auto [x, x_dot, theta, theta_dot] = state;
    const double cosine = std::cos(theta), sine = std::sin(theta);
    const double total = p.cart_mass + p.pole_mass, moment = p.pole_mass * p.half_length;
    const double pull = (p.force * push + moment * theta_dot * theta_dot * sine) / total;
    const double theta_acceleration =
        (p.gravity * sine - cosine * pull) / (p.half_length * (4.0 / 3.0 - p.pole_mass * cosine * cosine / total));
    const double acceleration = pull - moment * theta_acceleration * cosine / total;
    return {x + p.time_step * x_dot, x_dot + p.time_step * acceleration, theta + p.time_step * theta_dot,
            theta_dot + p.time_step * theta_acceleration};
}

bool cart_pole_failed(const CartPoleState& state) {
    return std::abs(state[0]) > kCartLimit || std::abs(state[2]) > kPoleLimit;
}

CartPoleState cart_pole_start(Stream& stream) {
    CartPoleState state{};
    for (double& x : state) x = stream.uniform(-0.05, 0.05);
    return state;
}

CartPoleMove cart_pole_move(const CartPoleParameters& parameters, const CartPoleState& state, Stream& stream) {
    CartPoleMove move{};
    move.pushed_right = stream.uniform() < parameters.push_right;
    move.state = cart_pole_step(parameters, state, move.pushed_right ? 1 : -1);
    move.reset = cart_pole_failed(move.state);
    if (move.reset) move.state = cart_pole_start(stream);
    return move;
}

namespace {

constexpr std::array<int, 4> kDisplacement = {1, 3, 5, 7};
constexpr CartPoleState kRange = {3.0, 2.5, 15 * std::numbers::pi / 180, 2.5};

}  // namespace

CartPoleTiles::CartPoleTiles(const CartPoleOptions& options, int d) : options_(options), d_(d) {
    check(d >= 1 && options.bins >= 1 && options.bins <= 16, "features and bins of a cart-pole");
    place_.assign(tilings_ * width_ * width_ * width_ * width_, -1);
}

void CartPoleTiles::draw(const DrawKey& features, const DrawKey& reward) {
    features_ = features;
    reward_ = reward;
    for (const int tile : visited_) place_[tile] = -1;
    visited_.clear();
    rows_.clear();
}

int CartPoleTiles::tile_of(int tiling, const CartPoleState& state) const {
    int tile = tiling;
    for (size_t i = 0; i < 4; ++i) {
        const double displaced =
            options_.grid ? 0.0 : static_cast<double>(tiling * kDisplacement[i] % kTilings) / kTilings;
        const double bin = (state[i] + kRange[i]) / (2 * kRange[i]) * options_.bins + displaced;
        tile = tile * width_ + std::clamp(static_cast<int>(std::floor(bin)), 0, width_ - 1);
    }
    return tile;
}

const double* CartPoleTiles::row_of(int tile) {
    int& place = place_[tile];
    if (place < 0) {
        place = static_cast<int>(rows_.size());
        visited_.push_back(tile);
        Stream features(features_.seed, Purpose::features, features_.index, static_cast<uint32_t>(tile));
        Stream reward(reward_.seed, Purpose::reward, reward_.index, static_cast<uint32_t>(tile));
        for (int i = 0; i < d_; ++i) rows_.push_back(features.uniform(-1, 1));
        rows_.push_back(reward.uniform(-1, 1));
    }
    return rows_.data() + place;
}

void CartPoleTiles::read(const CartPoleState& state, double* row) {
    std::fill(row, row + d_ + 1, 0.0);
    for (int tiling = 0; tiling < tilings_; ++tiling) {
        const double* tile = row_of(tile_of(tiling, state));
        for (int i = 0; i <= d_; ++i) row[i] += tile[i];
    }
    // A sum of eight U(-1, 1) has variance 8/3.
    for (int i = 0; i <= d_ && !options_.grid; ++i) row[i] *= std::sqrt(3.0 / kTilings);
}

}  // namespace emergence
