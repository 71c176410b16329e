#include "core/lab/views/picture_places.h"

#include <set>

namespace emergence {
namespace {

bool is_among(const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Gives each picture its place once.
class Placer {
  public:
    Placer(const Staging& staging, const PictureIds& ids) : ids_(ids) {
        for (const auto* list : {&staging.stage, &staging.wings}) named_.insert(list->begin(), list->end());
    }

    void add(std::vector<std::string>& place, const std::string& id) {
        if (id == kAllMatrices) {
            for (const std::string& matrix : ids_.matrices)
                if (!named_.contains(matrix)) add(place, matrix);
        } else if (ids_.has(id) && placed_.insert(id).second) {
            place.push_back(id);
        }
    }
    void add(std::vector<std::string>& place, const std::vector<std::string>& ids) {
        for (const std::string& id : ids) add(place, id);
    }

  private:
    const PictureIds& ids_;
    std::set<std::string> named_, placed_;
};

}  // namespace

bool PictureIds::has_matrix(const std::string& id) const { return is_among(matrices, id); }

bool PictureIds::has(const std::string& id) const {
    return (id == kSeedTiles && tiles) || has_matrix(id) || is_among(plots, id) || is_among(scenes, id);
}

PictureIds picture_ids(const std::vector<MetricPlot>& history, const Snapshot& snapshot) {
    PictureIds ids;
    for (const NamedMatrix& matrix : snapshot.matrices) ids.matrices.push_back(matrix.name);
    for (const MetricPlot& plot : history) ids.plots.push_back(plot.id);
    for (const PlotSpec& plot : snapshot.plots) {
        ids.plots.push_back(plot.id);
        if (plot.leads) ids.leading.push_back(plot.id);
    }
    for (const Scene& scene : snapshot.scenes) ids.scenes.push_back(scene.id);
    ids.tiles = !snapshot.matrices.empty() && snapshot.seeds.size() > 1;
    return ids;
}

PicturePlaces place_pictures(const Staging& staging, const PictureIds& ids) {
    PicturePlaces places;
    Placer placer(staging, ids);
    placer.add(places.stage, staging.stage);
    if (places.stage.empty()) placer.add(places.stage, ids.matrices);
    if (places.stage.empty()) placer.add(places.stage, ids.scenes);
    if (places.stage.empty() && !ids.plots.empty()) placer.add(places.stage, ids.plots.front());
    for (const std::string& id : ids.leading)
        if (!is_among(staging.wings, id)) placer.add(places.wings, id);
    placer.add(places.wings, staging.wings);
    std::vector<std::string>& rest = staging.wings.empty() ? places.wings : places.more;
    for (const auto* list : {&ids.matrices, &ids.scenes, &ids.plots}) placer.add(rest, *list);
    placer.add(places.more, std::string(kSeedTiles));
    return places;
}

}  // namespace emergence
