#include "app/cli/export_formats.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/json.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/models/evaluate_prompts.h"

namespace emergence::cli {
namespace {

constexpr const char* kTorchScript =
    R"(# The networks of run {name}: Emergence {version}, step {step}. Needs PyTorch alone.
#
#     from network import networks
#     values = networks[seed](prompts)          # prompts: B x {rows} x (n + 1)
#
# python3 network.py compares their values on a prompt with those of Emergence.
import torch


class Transformer(torch.nn.Module):
    """Eqs. (3) and (4), Wang et al. 2025: Z <- Z + (1/n) P Z M act(Z' Q Z), and minus the last entry of Z."""

    def __init__(self, P, Q):
        super().__init__()
        self.P, self.Q = (torch.nn.Parameter(torch.tensor(one, dtype=torch.float64)) for one in (P, Q))

    def forward(self, Z):
        n = Z.shape[-1] - 1
        for layer in range({layers}):
            P, Q = (one[layer % len(one)] for one in (self.P, self.Q))
            A = {activation}(Z.transpose(-2, -1) @ Q @ Z)
            Z = Z + P @ Z[..., :n] @ A[..., :n, :] / n
        return -Z[..., -1, -1]


# By the seeds' numbers.
P = {P}
Q = {Q}
networks = {{seed: Transformer(P[seed], Q[seed]) for seed in P}}

prompt = torch.tensor({prompt}, dtype=torch.float64)
values = {values}

if __name__ == "__main__":
    for seed, network in networks.items():
        value = network(prompt[None]).item()
        assert abs(value - values[seed]) <= 1e-9 * max(1.0, abs(values[seed])), (seed, value, values[seed])
    print(f"{{len(networks)}} networks agree with Emergence")
)";

std::string activation_of(Activation activation) {
    switch (activation) {
        case Activation::softmax:
            return "(lambda S: torch.softmax(S, -1))";
        case Activation::softmax_columns:
            return "(lambda S: torch.softmax(S, -2))";
        case Activation::relu:
            return "torch.relu";
        case Activation::elu:
            return "torch.nn.functional.elu";
        case Activation::tanh:
            return "torch.tanh";
        default:
            return "";
    }
}

// layers x D x D as a list of Python.
std::string list_of(const double* values, const std::vector<size_t>& shape, size_t axis = 0) {
    if (axis == shape.size()) return fmt::format("{}", *values);
    size_t stride = 1;
    for (size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
    std::string text;
    for (size_t i = 0; i < shape[axis]; ++i)
        text += (i == 0 ? "" : ", ") + list_of(values + i * stride, shape, axis + 1);
    return "[" + text + "]";
}

// Numbers between -1 and 1 without a pattern that matters.
Array made_up_prompt(size_t rows, size_t columns) {
    std::vector<double> values;
    const size_t d = (rows - 1) / 2;
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j)
            values.push_back(j + 1 == columns && i >= d ? 0.0
                                                        : std::sin(static_cast<double>(1 + 3 * i + 7 * i * j + j)));
    return {{1, rows, columns}, std::move(values)};
}

// One seed's.
Array one_of(const Array& all, size_t seed) {
    const std::vector<double> values = as_doubles(all);
    const size_t size = values.size() / all.shape[0];
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(seed * size);
    return {{all.shape.begin() + 1, all.shape.end()},
            std::vector<double>(from, from + static_cast<std::ptrdiff_t>(size))};
}

}  // namespace

std::string json_lines(const ComparedRun& run) {
    std::string text;
    const std::vector<double>& steps = run.history.steps();
    for (size_t k = 0; k < run.snapshot.seeds.size(); ++k)
        for (size_t i = 0; i < steps.size() && static_cast<int64_t>(steps[i]) <= run.snapshot.step; ++i) {
            Json line = {{"seed", run.snapshot.seeds[k].seed}, {"step", static_cast<int64_t>(steps[i])}};
            for (const MetricInfo& metric : run.history.table())
                line[metric.name] = json_number(run.history.column(metric.name, static_cast<int>(k))[i]);
            text += line.dump() + "\n";
        }
    return text;
}

std::string torch_script(const ComparedRun& run) {
    const Snapshot& snapshot = run.snapshot;
    const Settings& settings = snapshot.settings;
    const bool plain =
        snapshot.experiment == "td" && settings.text("model") == "attention" && settings.text("mask") == "td";
    if (!plain)
        throw InputError(fmt::format("{}: its networks are not attention of experiment td with mask = td", run.name));
    Activation activation = activation_named(settings.text("activation"), "activation");
    if (activation == Activation::softmax && settings.text("normalisation") == "columns")
        activation = Activation::softmax_columns;
    const auto layers = static_cast<int>(settings.integer("num_layers"));
    const Array &P = snapshot.weights.at("P"), &Q = snapshot.weights.at("Q");
    const size_t rows = P.shape.back();
    const Array prompt = made_up_prompt(rows, static_cast<size_t>(settings.integer("n")) + 1);
    std::string texts[3];
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        const Array seed_P = one_of(P, k), seed_Q = one_of(Q, k);
        const auto add = [&](std::string& text, const std::string& value) {
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", snapshot.seeds[k].seed, value);
        };
        add(texts[0], list_of(as_doubles(seed_P).data(), seed_P.shape));
        add(texts[1], list_of(as_doubles(seed_Q).data(), seed_Q.shape));
        add(texts[2], fmt::format("{}", attention_values(prompt, seed_P, seed_Q, layers, activation).front()));
    }
    return fmt::format(kTorchScript, fmt::arg("name", run.name), fmt::arg("version", version_with_commit()),
                       fmt::arg("step", snapshot.step), fmt::arg("rows", rows), fmt::arg("layers", layers),
                       fmt::arg("activation", activation_of(activation)), fmt::arg("P", "{" + texts[0] + "}"),
                       fmt::arg("Q", "{" + texts[1] + "}"),
                       fmt::arg("prompt", list_of(as_doubles(prompt).data(), {rows, prompt.shape[2]})),
                       fmt::arg("values", "{" + texts[2] + "}"));
}

}  // namespace emergence::cli
