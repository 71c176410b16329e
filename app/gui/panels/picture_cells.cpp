#include "app/gui/panels/picture_cells.h"

#include <algorithm>

namespace emergence {
namespace {

using Kind = PictureCell::Kind;

constexpr size_t kMostBeside = 3;

PictureCell cell_of(const std::string& id, const PictureIds& ids) {
    const bool scene = std::find(ids.scenes.begin(), ids.scenes.end(), id) != ids.scenes.end();
    const Kind kind = ids.has_matrix(id) ? Kind::matrices
                      : id == kSeedTiles ? Kind::tiles
                      : scene            ? Kind::scene
                                         : Kind::plot;
    return {kind, {id}};
}

bool of_one_size(const Snapshot& snapshot, const std::string& a, const std::string& b) {
    const NamedMatrix* one = find_matrix(snapshot, a);
    const NamedMatrix* other = find_matrix(snapshot, b);
    if (one == nullptr || other == nullptr || one->seeds.empty() || other->seeds.empty()) return false;
    return one->seeds.front().rows == other->seeds.front().rows &&
           one->seeds.front().columns == other->seeds.front().columns;
}

}  // namespace

std::vector<PictureCell> stage_cells(const std::vector<std::string>& places, const PictureIds& ids) {
    std::vector<PictureCell> cells;
    for (const std::string& id : places) {
        const PictureCell one = cell_of(id, ids);
        const auto matrices =
            std::find_if(cells.begin(), cells.end(), [](const PictureCell& c) { return c.kind == Kind::matrices; });
        if (one.kind == Kind::matrices && matrices != cells.end())
            matrices->ids.push_back(id);
        else
            cells.push_back(one);
    }
    return cells;
}

std::vector<PictureCell> wing_cells(const std::vector<std::string>& places, const PictureIds& ids,
                                    const Snapshot& snapshot) {
    std::vector<PictureCell> cells;
    for (const std::string& id : places) {
        const PictureCell one = cell_of(id, ids);
        const bool joins = one.kind == Kind::matrices && !cells.empty() && cells.back().kind == Kind::matrices &&
                           cells.back().ids.size() < kMostBeside && of_one_size(snapshot, cells.back().ids.front(), id);
        if (joins)
            cells.back().ids.push_back(id);
        else
            cells.push_back(one);
    }
    return cells;
}

std::vector<std::string> controls_of(const std::vector<PictureCell>& stage, std::vector<std::string> settings,
                                     const Snapshot& snapshot) {
    const auto is_weights = [&](const std::string& id) {
        const NamedMatrix* matrix = find_matrix(snapshot, id);
        return matrix != nullptr && !matrix->initial_products.values.empty();
    };
    const bool weights_only = std::all_of(stage.begin(), stage.end(), [&](const PictureCell& cell) {
        return cell.kind == Kind::tiles ||
               (cell.kind == Kind::matrices && std::all_of(cell.ids.begin(), cell.ids.end(), is_weights));
    });
    if (!weights_only || stage.empty()) return settings;
    std::erase_if(settings, [&](const std::string& name) {
        return snapshot.settings.has(name) && snapshot.settings.info(name).group == "evaluation" &&
               std::holds_alternative<int64_t>(snapshot.settings.value(name));
    });
    return settings;
}

}  // namespace emergence
