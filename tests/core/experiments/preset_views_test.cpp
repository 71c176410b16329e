// What the presets say of the window: the ids of pictures and the names of fields are the experiment's.
#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <vector>

#include "core/experiments/registry.h"
#include "core/files/assets.h"
#include "core/lab/picture_places.h"
#include "core/settings/staging.h"
#include "tests/support/places.h"

using namespace emergence;

namespace {

// The pictures of the first moment, with as few seeds as have tiles and few environments.
PictureIds first_pictures(const ExperimentInfo& info, Settings settings) {
    if (settings.has("seeds") && settings.integer("seeds") > 2) settings.set("seeds", int64_t{2});
    if (settings.has("num_environments")) settings.set("num_environments", int64_t{4});
    const std::unique_ptr<Study> study = info.make(settings);
    std::vector<std::unique_ptr<Experiment>> seeds;
    std::vector<const Experiment*> all;
    for (int i = 0; i < study->num_seeds(); ++i) {
        std::vector<MetricRow> rows;
        seeds.push_back(study->make_seed(i));
        seeds.back()->advance(0, rows);
        all.push_back(seeds.back().get());
    }
    return picture_ids(study->metric_plots(), study->describe(all));
}

}  // namespace

TEST_CASE("every preset has a stage, and all that it names is there") {
    const std::filesystem::path assets = testing::source_dir() / "assets";
    for (const std::string& name : preset_names(assets)) {
        CAPTURE(name);
        const SettingsFile file = read_settings(preset_path(assets, name));
        REQUIRE(file.view);
        const Staging staging = staging_in(*file.view);
        CHECK_FALSE(staging.stage.empty());
        CHECK_FALSE(staging.wings.empty());
        CHECK(staging.controls.size() <= 2);
        const ExperimentInfo& info = find_experiment(file.experiment);
        Settings settings(info.fields);
        apply(file, settings);
        for (const std::string& field : staging.controls) CHECK(settings.has(field));
        const PictureIds ids = first_pictures(info, settings);
        std::set<std::string> seen;
        for (const auto* list : {&staging.stage, &staging.wings})
            for (const std::string& id : *list) {
                CAPTURE(id);
                CHECK((id == kAllMatrices || ids.has(id)));
                CHECK(seen.insert(id).second);
            }
    }
}
