// The browser's own dialog for files. Declared in app/gui/shell/desktop_file_dialog.h.
#include <emscripten.h>

#include "app/gui/shell/desktop_file_dialog.h"

namespace emergence {

DesktopFileDialog::DesktopFileDialog(Jobs& jobs, const std::string&) : jobs_(jobs), words_{"browser"} {}

// What is chosen comes as if it were dropped on the page.
void DesktopFileDialog::open(bool folders, Chosen) {
    EM_ASM({ Module.chooseFiles($0); }, folders ? 1 : 0);
}

}  // namespace emergence
