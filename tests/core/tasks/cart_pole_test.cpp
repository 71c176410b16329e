#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "core/tasks/task.h"

using namespace emergence;

namespace {

const TaskOptions kTasks{.d = 4, .kind = TaskKind::cart_pole};

// Gym's defaults.
constexpr CartPoleParameters kGym{1.0, 0.1, 0.5, 9.8, 0.02, 10.0, 0.5};

// theta'' and x'' must satisfy the equations of motion that Gym's formulas solve (Florian 2007, without
// friction).
void check_motion(const CartPoleParameters& p, const CartPoleState& state, double push) {
    const CartPoleState next = cart_pole_step(p, state, push);
    const double acceleration = (next[1] - state[1]) / p.time_step;
    const double angular = (next[3] - state[3]) / p.time_step;
    const double sine = std::sin(state[2]), cosine = std::cos(state[2]);
    // Force on the whole; torque about the pivot: (4/3) l theta'' = g sin - x'' cos.
    CHECK(
        (p.cart_mass + p.pole_mass) * acceleration ==
        doctest::Approx(p.force * push + p.pole_mass * p.half_length * (state[3] * state[3] * sine - angular * cosine))
            .epsilon(1e-9));
    CHECK(4.0 / 3.0 * p.half_length * angular ==
          doctest::Approx(p.gravity * sine - acceleration * cosine).epsilon(1e-9));
    CHECK(next[0] == state[0] + p.time_step * state[1]);
    CHECK(next[2] == state[2] + p.time_step * state[3]);
}

// One time step of a task: its row is the task's, its state that of the same draws.
struct CartPoleFrame {
    CartPoleState state;
    std::vector<double> features;
    double reward;
    bool pushed_right, reset;
};
struct CartPoleSimulation {
    CartPoleParameters parameters;
    std::vector<CartPoleFrame> frames;
};
CartPoleSimulation simulate_cart_pole(const TaskOptions& options, uint64_t seed, uint32_t index, int steps) {
    const std::unique_ptr<Task> task = make_task(options);
    task->draw(seed, index);
    Stream stream(seed, Purpose::trajectory, index), same = stream;
    CartPoleSimulation simulation{draw_cart_pole(options.cart_pole.heavy_pole, seed, index), {}};
    const auto draw_first = [&](CartPoleState& state) {
        for (double& x : state) x = same.uniform(-0.05, 0.05);
    };
    task->start(stream);
    CartPoleState state{};
    draw_first(state);
    for (int t = 0; t < steps; ++t, task->step(stream)) {
        const bool pushed_right = same.uniform() < simulation.parameters.push_right;
        CartPoleState next = cart_pole_step(simulation.parameters, state, pushed_right ? 1 : -1);
        const bool reset = cart_pole_failed(next);
        if (reset) draw_first(next);
        const double* row = task->row();
        simulation.frames.push_back({state, {row, row + options.d}, row[options.d], pushed_right, reset});
        state = next;
    }
    return simulation;
}

}  // namespace

TEST_CASE("steps obey the equations of motion") {
    Stream stream(1, Purpose::testing);
    for (uint32_t index = 0; index < 20; ++index) {
        CartPoleState state{};
        for (double& x : state) x = stream.uniform(-1, 1);
        check_motion(draw_cart_pole(index % 2 == 0, 3, index), state, index % 3 == 0 ? 1 : -1);
    }
    // From rest, pushed right: x'' = f / (M + m (1 - 3/4)) at theta = 0.
    const CartPoleState pushed = cart_pole_step(kGym, {0, 0, 0, 0}, 1);
    CHECK(pushed[1] == doctest::Approx(0.02 * 10 / 1.025).epsilon(1e-12));
    CHECK(pushed[3] == doctest::Approx(-0.02 * 0.75 * 10 / 1.025 / 0.5).epsilon(1e-12));
}

TEST_CASE("parameters are in their ranges, the pole's mass as paper or code") {
    for (uint32_t index = 0; index < 200; ++index) {
        const CartPoleParameters code = draw_cart_pole(false, 5, index), paper = draw_cart_pole(true, 5, index);
        CHECK(paper.gravity == code.gravity);
        const std::tuple<double, double, double> ranges[] = {{code.pole_mass, 0.05, 0.15}, {paper.pole_mass, 0.5, 1.5},
                                                             {code.cart_mass, 0.5, 1.5},   {code.half_length, 0.5, 1.5},
                                                             {code.gravity, 7, 12},        {code.time_step, 0.01, 0.05},
                                                             {code.force, 5, 15},          {code.push_right, 0, 1}};
        for (const auto& [value, low, high] : ranges) {
            CHECK(value >= low);
            CHECK(value <= high);
        }
    }
}

TEST_CASE("a simulation stays on the track, resets where it fails and can be repeated") {
    int resets = 0, right = 0, count = 0;
    double expected_right = 0;
    for (uint32_t index = 0; index < 10; ++index) {
        const CartPoleSimulation a = simulate_cart_pole(kTasks, 3, index, 400),
                                 b = simulate_cart_pole(kTasks, 3, index, 400);
        REQUIRE(a.frames.size() == 400);
        for (size_t t = 0; t < 400; ++t) {
            const CartPoleFrame& frame = a.frames[t];
            CHECK(frame.state == b.frames[t].state);
            CHECK(frame.features == b.frames[t].features);
            CHECK(std::abs(frame.state[0]) <= kCartLimit);
            CHECK(std::abs(frame.state[2]) <= kPoleLimit);
            if (frame.pushed_right) ++right;
            ++count;
            if (t + 1 == 400) continue;
            const CartPoleState next = cart_pole_step(a.parameters, frame.state, frame.pushed_right ? 1 : -1);
            CHECK(frame.reset == cart_pole_failed(next));
            if (frame.reset)
                for (const double x : a.frames[t + 1].state) CHECK(std::abs(x) <= 0.05);
            else
                CHECK(a.frames[t + 1].state == next);
            if (frame.reset) ++resets;
        }
        expected_right += 400 * a.parameters.push_right;
    }
    CHECK(resets > 20);
    CHECK(std::abs(right - expected_right) < 4.5 * std::sqrt(0.25 * count));
}

TEST_CASE("tiles: near states share most of theirs, far ones none; unit variance") {
    CartPoleTiles tiles({}, 8);
    std::vector<double> a(9), b(9);
    double sum = 0, near = 0, far = 0, count = 0;
    for (uint32_t index = 0; index < 400; ++index) {
        tiles.draw({1, index}, {1, index});
        tiles.read({0.1, 0.2, 0.03, -0.3}, a.data());
        tiles.read({0.11, 0.2, 0.03, -0.3}, b.data());
        for (size_t i = 0; i < 9; ++i) {
            sum += a[i] * a[i];
            near += a[i] * b[i];
            ++count;
        }
        tiles.read({-2, -1.5, -0.2, 2}, b.data());
        for (size_t i = 0; i < 9; ++i) far += a[i] * b[i];
    }
    CHECK(std::abs(sum / count - 1) < 0.12);  // 3600 draws of kurtosis near 3: five standard errors
    CHECK(near / count > 0.8);                // at least seven of eight tiles
    CHECK(std::abs(far / count) < 5 / std::sqrt(count));
    // The same task gives the same row, whatever was read before; beyond the range belongs to the edge.
    tiles.draw({1, 7}, {1, 7});
    tiles.read({9, 0, 0, 0}, a.data());
    tiles.draw({1, 8}, {1, 8});
    tiles.read({0, 0, 0, 0}, b.data());
    tiles.draw({1, 7}, {1, 7});
    tiles.read({3.8, 0, 0, 0}, b.data());
    CHECK(a == b);
}

TEST_CASE("the grid is one tiling, and its reward is that of the cell entered") {
    const CartPoleOptions grid{.grid = true, .bins = 3};
    const CartPoleSimulation simulation =
        simulate_cart_pole({.d = 4, .kind = TaskKind::cart_pole, .cart_pole = grid}, 3, 1, 100);
    CartPoleTiles tiles(grid, 4);
    tiles.draw({3, 1}, {3, 1});
    std::vector<double> row(5);
    for (size_t t = 0; t + 1 < 100; ++t) {
        tiles.read(simulation.frames[t].state, row.data());
        CHECK(std::vector<double>(row.begin(), row.begin() + 4) == simulation.frames[t].features);
        tiles.read(simulation.frames[t + 1].state, row.data());
        CHECK(row[4] == simulation.frames[t].reward);
        for (const double x : simulation.frames[t].features) CHECK(std::abs(x) < 1);
    }
    // With tiles it is that of the state left.
    const CartPoleSimulation tiled = simulate_cart_pole(kTasks, 3, 1, 2);
    CartPoleTiles eight({}, 4);
    eight.draw({3, 1}, {3, 1});
    eight.read(tiled.frames[0].state, row.data());
    CHECK(row[4] == tiled.frames[0].reward);
}
