// What the experiments' fields say of when they act, and that no preset sets something in vain.
#include "core/settings/fields.h"

#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/settings/toml.h"
#include "tests/support/places.h"

using namespace emergence;

TEST_CASE("a field acts beside fields and values that there are") {
    for (const ExperimentInfo& info : experiments()) {
        const Settings settings(info.fields);
        for (const FieldInfo& field : *info.fields)
            for (const ActsWhile& needed : field.acts_while) {
                CAPTURE(info.name);
                CAPTURE(field.name);
                CAPTURE(needed.field);
                REQUIRE(settings.has(needed.field));
                CHECK(needed.field != field.name);
                CHECK_FALSE(needed.values.empty());
                const FieldInfo& other = settings.info(needed.field);
                for (const std::string& value : needed.values) CHECK(to_text(parse_value(other, value)) == value);
            }
    }
}

TEST_CASE("no preset sets what has no effect in it") {
    const std::filesystem::path assets = testing::source_dir() / "assets";
    for (const std::string& name : preset_names(assets)) {
        CAPTURE(name);
        const SettingsFile file = read_settings(preset_path(assets, name));
        Settings settings(find_experiment(file.experiment).fields);
        apply(file, settings);
        for (const std::string& notice : idle_notices(settings)) FAIL_CHECK(notice);
    }
}
