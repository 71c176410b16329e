#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "core/algorithms/context_algorithms.h"
#include "core/base/error.h"

namespace emergence {
namespace {

// The place that an edit names. "p2,3": kind p, numbers 2 and 3; "r1": kind r, number 1.
struct EditPlace {
    std::string kind;
    int first = 0, second = 0;  // from 0; second is -1 if absent
};

int edit_number(const std::string& name, std::string_view text, int most) {
    const auto number = parsed<int>(text);
    if (!number || *number < 1 || *number > most)
        throw InputError("world_edits: '{}': '{}' is not from 1 to {}", name, text, most);
    return *number - 1;
}

EditPlace edit_place(const std::string& name, const Mrp& mrp) {
    const size_t digits = smaller(name.find_first_of("0123456789"), name.size());
    const size_t comma = name.find(',', digits);
    EditPlace place{name.substr(0, digits), 0, -1};
    const bool pair = place.kind == "p" || place.kind == "phi";
    if ((!pair && place.kind != "r") || pair != (comma != std::string::npos))
        throw InputError("world_edits: '{}' is not one of p1,2 (a probability), r1 (a reward) and phi1,2 (a feature)",
                         name);
    const std::string_view text = name;
    place.first = edit_number(name, text.substr(digits, comma - digits), mrp.num_states());
    if (pair) place.second = edit_number(name, text.substr(comma + 1), place.kind == "p" ? mrp.num_states() : mrp.d());
    return place;
}

// Sets the probabilities of row s that are not NaN in `fixed`, and rescales the others so that the row sums
// to 1.
void edit_row(Mrp& mrp, Index s, const Vec& fixed) {
    constexpr double kSlack = 1e-9;
    double sum = 0.0, others = 0.0;
    Index open = 0;
    for (Index t = 0; t < fixed.size(); ++t)
        if (std::isfinite(fixed[t]))
            sum += fixed[t];
        else
            ++open, others += mrp.transition(s, t);
    if (sum > 1.0 + kSlack || (open == 0 && sum < 1.0 - kSlack))
        throw InputError("world_edits: the probabilities set from state {} sum to {} instead of {}1", s + 1, sum,
                         open == 0 ? "" : "at most ");
    const double left = larger(0.0, 1.0 - sum);
    for (Index t = 0; t < fixed.size(); ++t) {
        double& p = mrp.transition(s, t);
        p = std::isfinite(fixed[t]) ? fixed[t] : others > 0.0 ? left * p / others : left / static_cast<double>(open);
    }
}

}  // namespace

bool looks_inside(const InContextTdConfig& config) {
    return config.inside.look_inside != "nothing" && config.tasks.has_values() && !averages_rewards(config);
}

std::shared_ptr<const WorldFile> own_world(const InContextTdConfig& config) {
    if (!looks_inside(config) || config.inside.world_file.empty()) return nullptr;
    auto file = std::make_shared<WorldFile>(read_world(config.inside.world_file));
    if (file->mrp.d() != config.tasks.d)
        throw InputError("world_file: '{}' has {} features per state, but the network has d = {}",
                         config.inside.world_file, file->mrp.d(), config.tasks.d);
    return file;
}

Mrp edited(const Mrp& mrp, const NamedNumbers& edits) {
    Mrp result = mrp;
    const auto m = static_cast<Index>(mrp.num_states());
    const Vec open = Vec::Constant(m, std::numeric_limits<double>::quiet_NaN());
    std::map<Index, Vec> rows;
    for (const auto& [name, value] : edits) {
        const EditPlace place = edit_place(name, mrp);
        if (place.kind == "r") {
            result.reward[place.first] = value;
        } else if (place.kind == "phi") {
            result.features(place.second, place.first) = value;
        } else {
            if (!(value >= 0.0 && value <= 1.0))
                throw InputError("world_edits: '{}': {} is not a probability, from 0 to 1", name, value);
            rows.try_emplace(place.first, open).first->second[place.second] = value;
        }
    }
    for (const auto& [s, fixed] : rows) edit_row(result, s, fixed);
    return result;
}

TdWorld td_world(const InContextTdConfig& config, const WorldFile* file) {
    TdWorld world;
    world.gamma = config.tasks.gamma;
    if (file != nullptr) {
        world.gamma = file->gamma.value_or(config.tasks.gamma);
        std::tie(world.title, world.states, world.original) = std::tie(file->title, file->states, file->mrp);
    } else {
        world.title = fmt::format("Held-out MRP {}", config.inside.watched_task);
        draw_mrp(held_out_tasks(config), derive_seed(0, Purpose::held_out),
                 static_cast<uint32_t>(config.inside.watched_task), world.original);
        for (int s = 1; s <= world.original.num_states(); ++s) world.states.push_back(fmt::format("{}", s));
    }
    try {
        world.edits = parse_named_numbers(config.inside.world_edits);
    } catch (const InputError& error) {
        throw InputError("world_edits: {}", error.what());
    }
    world.mrp = edited(world.original, world.edits);
    try {
        world.stationary = stationary_distribution(world.mrp);
    } catch (const InputError&) {
        throw InputError(
            "world_edits: the chain can get trapped in several separate sets of states, so its stationary "
            "distribution depends on the start. Connect them");
    }
    world.weights = error_weights(world.mrp, world.stationary);
    world.leaves_states = world.weights != world.stationary;
    world.v = true_value(world.mrp, world.gamma);
    world.chosen = smaller(config.inside.world_state, world.num_states()) - 1;
    Stream stream(derive_seed(0, Purpose::held_out), Purpose::trajectory,
                  static_cast<uint32_t>(config.inside.watched_task));
    world.path = draw_path(world.mrp, config.eval_context_length, stream);
    world.context = transitions_along(world.mrp, world.gamma, world.path);
    return world;
}

std::vector<TdWorldValues> td_world_values(const InContextTdConfig& config, const TdWorld& world,
                                           const LearnedSeeds& seeds) {
    const auto m = static_cast<Index>(world.num_states());
    NetworkShape shape = network_shape(config);
    shape.context_length = config.eval_context_length;
    std::vector<float> rows;
    for (const int s : world.path) {
        for (Index k = 0; k < world.mrp.d(); ++k) rows.push_back(static_cast<float>(world.mrp.features(k, s)));
        rows.push_back(static_cast<float>(world.mrp.reward[s]));
    }
    std::vector<float> queries;  // m x d
    for (const double feature : world.mrp.features) queries.push_back(static_cast<float>(feature));
    const std::vector<int> context_of(m, 0);
    const auto prompts = shape.is_masked() ? nullptr : make_network_prompts(shape);
    const auto gamma = static_cast<float>(world.gamma);
    const Vec missing = Vec::Constant(m, kMissing);
    const Mat one = Mat::Identity(config.tasks.d, config.tasks.d);
    std::vector<TdWorldValues> all(seeds.size(), {missing, missing});
    for (size_t k = 0; k < seeds.size(); ++k) {
        if (seeds[k].failed) continue;
        std::vector<float> network(static_cast<size_t>(m), 0.0f);
        if (prompts) {
            prompts->run({rows.data(), static_cast<int>(rows.size()), context_of.data(), queries.data(),
                          static_cast<int>(m), gamma},
                         seeds[k].weights.data(), network.data(), nullptr);
        } else {
            const std::vector<float> w = masked_weight(shape, rows, gamma, seeds[k].weights);
            for (size_t s = 0; s < network.size(); ++s)
                for (size_t i = 0; i < w.size(); ++i)
                    network[s] = std::fma(w[i], queries[s * w.size() + i], network[s]);
        }
        all[k].network = Vec::from_floats(network.data(), m);
        const Mat C = static_cast<double>(seeds[k].alpha) * one;
        all[k].batch_td = world.mrp.features.transpose() * batch_td(world.context, {C}, config.num_layers).back();
    }
    return all;
}

}  // namespace emergence
