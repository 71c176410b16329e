#include "core/lab/store/weights_file.h"

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/settings/embedded_settings.h"

namespace emergence {

ArrayMap weights_file(const Snapshot& snapshot) {
    ArrayMap arrays = snapshot.weights;
    if (!arrays.empty())
        for (const NamedMatrix& matrix : snapshot.matrices)
            if (!matrix.signs.empty()) arrays["sign_" + matrix.name] = {{matrix.signs.size()}, matrix.signs};
    arrays[kSettingsKey] =
        settings_array(settings_to_toml(snapshot.experiment, snapshot.settings, {"", snapshot.step}));
    return arrays;
}

bool holds_bare_weights(const std::filesystem::path& path) {
    try {
        const ArrayFile file(path, kMostWeightBytes);
        return file.contains("P") && file.contains("Q") && !file.contains(kSettingsKey);
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace emergence
