#pragma once
// Search in the handbook.

#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/document.h"

namespace emergence::handbook {

struct Hit {
    std::string chapter;  // "window"
    size_t block = 0;     // of the chapter's blocks
    std::string section;  // the heading under which it stands: "Time"
    std::string anchor;   // the heading's: "time"
    std::string excerpt;  // about 100 characters around the first word found; below a heading, what follows it
    int score = 0;
};

/// The blocks in which all words stand, capitals or not, as parts of words too; a word may also stand in the
/// heading above. Best first: headings before text, whole words before parts, the phrase as typed before
/// words apart. None without words.
std::vector<Hit> find(const std::vector<Document>& chapters, std::string_view words);

}  // namespace emergence::handbook
