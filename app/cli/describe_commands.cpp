#include "app/cli/describe_commands.h"

#include "core/base/version.h"

namespace emergence::cli {
namespace {

void add_threads_option(CLI::App& command, RawArguments& raw) {
    command.add_option("--threads", raw.threads, "How many threads (default: one per core)")->type_name("T");
}

void add_autosave_option(CLI::App& command, RawArguments& raw) {
    command
        .add_option("--autosave", raw.autosave,
                    "Seconds between checkpoints for 'resume' (default: 60; 0: only at the end)")
        ->type_name("S");
}

void add_moments_option(CLI::App& command, RawArguments& raw) {
    command
        .add_option("--moments", raw.moments,
                    "Save the run at up to so many steps, to look through it later (default: 64; 0: none)")
        ->type_name("N");
}

void add_force_flag(CLI::App& command, RawArguments& raw) {
    command.add_flag("--force", raw.force,
                     "Write even if the folder holds something else, which is moved to DIR.old-1");
}

void add_json_flag(CLI::App& command, RawArguments& raw, const std::string& help) {
    command.add_flag("--json", raw.json, help);
}

// How figures are set on their page.
void add_page_options(CLI::App& command, RawArguments& raw) {
    command
        .add_option(
            "--width", raw.page_width,
            "Width of the figures, with text for it: 3.4in, 7in or slide (default: each figure's own)")
        ->type_name("NAME");
    command.add_option("--dpi", raw.page_dots, "Dots per inch of PNG, for example 300 or 600 (default: 150)")
        ->type_name("N");
    command.add_flag("--no-caption", raw.no_caption, "Figures without title and caption; metadata stay");
}

constexpr const char* kLastLine = "Print the result as JSON, on the last line of standard output";

void add_run_options(CLI::App& command, RawArguments& raw) {
    command
        .add_option("--set", raw.run.changes,
                    "Change settings: field=value (several may follow; may be repeated; see info)")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    command.add_option("--seeds", raw.run.seeds, "How many seeds: seed .. seed+K-1")->type_name("K");
    add_threads_option(command, raw);
    add_autosave_option(command, raw);
    add_moments_option(command, raw);
    command.add_option("--out", raw.run.out, "Folder for the results (default: out/<name>-<date>-<time>)")
        ->type_name("DIR");
    add_page_options(command, raw);
    add_force_flag(command, raw);
    add_json_flag(command, raw, kLastLine);
}

void describe_runs(CLI::App& app, RawArguments& raw) {
    CLI::App* run =
        app.add_subcommand("run", "Train, then write config.toml, metrics.csv, weights.npz and figures");
    run->add_option("experiment", raw.run.name,
                    "Name of the experiment, or a figure or settings to run again")
        ->type_name("EXPERIMENT|FILE")
        ->required();
    add_run_options(*run, raw);
    CLI::Option* preset = run->add_option("--preset", raw.run.preset, "Start from a preset (see list)");
    preset->type_name("PRESET");
    run->add_option("--weights", raw.start_weights,
                    "Start from weights in an NPZ or safetensors file: the same as --set weights=FILE")
        ->type_name("W.npz");
    run->add_option("--config", raw.run.config, "Start from the settings in a file (TOML or a figure)")
        ->type_name("FILE")
        ->excludes(preset);

    CLI::App* figure = app.add_subcommand("figure", "Run a paper figure's preset and draw the figure");
    figure
        ->add_option("name", raw.figure,
                     "Name of the figure (see list), all, one that was drawn, or a figure file of your own")
        ->type_name("FIGURE|FILE")
        ->required();
    figure
        ->add_option("runs", raw.run.runs,
                     "Folders of saved runs that a figure file draws instead of its own")
        ->type_name("DIR");
    add_run_options(*figure, raw);

    CLI::App* resume = app.add_subcommand(
        "resume",
        "Resume what was stopped or killed: a run, a sweep, figures, reproduce; or make a finished run longer");
    resume->add_option("folder", raw.resume.folder, "Its folder")->type_name("DIR")->required();
    resume
        ->add_option("--set", raw.resume.changes,
                     "Change a live setting, for example where the run ends: field=value")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    add_threads_option(*resume, raw);
    add_autosave_option(*resume, raw);
    add_moments_option(*resume, raw);
    add_json_flag(*resume, raw, kLastLine);
}

void describe_checks(CLI::App& app, RawArguments& raw) {
    CLI::App* value = app.add_subcommand("value", "Values that given weights assign to given prompts");
    value
        ->add_option("--weights", raw.value.weights,
                     "NPZ or safetensors with P and Q: [seeds x] layers x D x D")
        ->type_name("W.npz")
        ->required();
    value->add_option("--prompts", raw.value.prompts, "NPZ, safetensors or NPY with Z: B x (2d+1) x (n+1)")
        ->type_name("Z.npz")
        ->required();
    value->add_option("--layers", raw.layers, "Layers; one stored layer is used again")
        ->type_name("L")
        ->required();
    value
        ->add_option("--activation", raw.value.activation,
                     "identity, softmax, softmax_columns, relu, elu or tanh (default: identity)")
        ->type_name("NAME");
    value->add_option("--seed", raw.seed, "Which of the file's seeds, from 0")->type_name("K");
    add_json_flag(*value, raw, "Print JSON");

    CLI::App* verify = app.add_subcommand("verify", "Check what the papers claim");
    verify
        ->add_option("name", raw.verify.names,
                     "Claims, or all those of an experiment or a figure; a theorem's name includes its "
                     "controls (default: all)")
        ->type_name("CLAIM|EXPERIMENT|FIGURE");
    verify->add_flag("--list", raw.verify.list, "List the claims without measuring them");
    verify->add_flag(
        "--table", raw.verify.table,
        "Print the last results as tables, the papers' statements apart from ours, without measuring");
    add_json_flag(*verify, raw, "Print JSON");

    CLI::App* reproduce = app.add_subcommand(
        "reproduce", "Make every figure, check every claim, and write one report (report.html)");
    reproduce
        ->add_option("paper", raw.reproduce.papers,
                     "in-context-td, softmax-td, bandits, regression or policy-improvement (default: all)")
        ->type_name("PAPER");
    reproduce
        ->add_option(
            "--out", raw.reproduce.out,
            "Folder for the results (default: out/reproduce); figures that it holds are not made again")
        ->type_name("DIR");
    add_threads_option(*reproduce, raw);
    add_force_flag(*reproduce, raw);
}

void describe_networks(CLI::App& app, RawArguments& raw) {
    CLI::App* networks = app.add_subcommand(
        "networks", "Train the networks that ship again: several seeds each, the best by validation");
    networks
        ->add_option("preset", raw.networks.presets,
                     "bandit-cosine, bandit-low, bandit-mixture or bandit-memorise (default: all)")
        ->type_name("PRESET");
    networks->add_option("--seeds", raw.cell_seeds, "How many seeds of each (default: 3)")->type_name("K");
    networks
        ->add_option("--set", raw.networks.changes,
                     "Change settings: field=value (several may follow; may be repeated; see info)")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    networks
        ->add_option("--out", raw.networks.out,
                     "Folder for the results (default: out/networks); a training that it holds is resumed")
        ->type_name("DIR");
    add_threads_option(*networks, raw);
    add_force_flag(*networks, raw);
}

void describe_sweep(CLI::App& app, RawArguments& raw) {
    CLI::App* sweep =
        app.add_subcommand("sweep", "Compute all scores over a grid of settings, several seeds per cell");
    sweep
        ->add_option("name", raw.sweep.file,
                     "A sweep (TOML), one of assets/sweeps by its name, the folder of one to resume, or an "
                     "experiment for --set")
        ->type_name("SWEEP|EXPERIMENT|FILE|DIR")
        ->required();
    sweep
        ->add_option("--set", raw.sweep.changes,
                     "Values of an axis, field=1,2,3 or field=FROM:TO:COUNT[:log]; one value for all cells")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    sweep->add_option("--preset", raw.sweep.preset, "Settings of all cells, for an experiment (see list)")
        ->type_name("PRESET");
    sweep
        ->add_option(
            "--score", raw.sweep.score,
            "What the picture shows: emerged, a metric, a read-out or a quantity of each seed (see handbook quantities)")
        ->type_name("NAME");
    sweep->add_option("--seeds", raw.cell_seeds, "Seeds per cell (default: the sweep's, or 4)")
        ->type_name("N");
    sweep->add_flag("--save-weights", raw.sweep.weights,
                    "Save the last weights of each cell too, as weights/CELL.npz");
    sweep->add_option("--x", raw.sweep.x, "Setting across the picture (default: the first)")
        ->type_name("NAME");
    sweep->add_option("--y", raw.sweep.y, "Setting down the picture (default: the second)")
        ->type_name("NAME");
    sweep
        ->add_option("--at", raw.sweep.at,
                     "Value of another axis at which the picture is drawn (default: its first): field=value")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    sweep
        ->add_option("--out", raw.sweep.out,
                     "Folder for the results (default: out/<name>); its finished cells stay")
        ->type_name("DIR");
    add_threads_option(*sweep, raw);
    add_page_options(*sweep, raw);
    add_force_flag(*sweep, raw);
}

void describe_compare(CLI::App& app, RawArguments& raw) {
    CLI::App* compare = app.add_subcommand(
        "compare", "Compare finished runs with the first: differences with intervals and tests, one figure");
    compare->add_option("folder", raw.compare.folders, "Folders of two or more runs")
        ->type_name("DIR")
        ->required();
    compare
        ->add_option("--score", raw.compare.score,
                     "Metric of the figure, or a quantity of each seed (default: the first metric)")
        ->type_name("NAME");
    compare
        ->add_option("--out", raw.compare.out,
                     "Folder for the results (default: out/comparison-<date>-<time>)")
        ->type_name("DIR");
    add_page_options(*compare, raw);
    add_force_flag(*compare, raw);
    add_json_flag(*compare, raw, kLastLine);
}

void describe_read(CLI::App& app, RawArguments& raw) {
    CLI::App* read = app.add_subcommand(
        "read",
        "Print numbers of saved runs; without --quantity list what a run has, alone the words for it");
    read->add_option("folder", raw.read.folders, "Folders of runs; an expression may name several of them")
        ->type_name("DIR");
    read->add_option(
            "--quantity", raw.read.quantities,
            "For example 'median(metric msve of emerged)' (may be repeated; see handbook quantities)")
        ->type_name("Q")
        ->allow_extra_args(false);
    add_json_flag(*read, raw, "Print JSON");
}

void describe_structure(CLI::App& app, RawArguments& raw) {
    CLI::App* structure = app.add_subcommand(
        "structure",
        "Draw a run's matrices over training: singular values, block norms, shares of theory and diagonals");
    structure->add_option("folder", raw.structure.folder, "Folder of a run with moments")
        ->type_name("DIR")
        ->required();
    structure->add_option("--matrix", raw.structure.matrices, "Matrix, for example P0 (default: all)")
        ->type_name("NAME");
    structure
        ->add_option("--out", raw.structure.out,
                     "Folder for the results (default: out/structure-<date>-<time>)")
        ->type_name("DIR");
    add_page_options(*structure, raw);
    add_force_flag(*structure, raw);
}

void describe_identify(CLI::App& app, RawArguments& raw) {
    CLI::App* identify = app.add_subcommand(
        "identify", "Say which algorithm each network of a run or a file of weights computes");
    identify
        ->add_option("path", raw.identify.path, "Folder of a run, or weights (NPZ or safetensors: P and Q)")
        ->type_name("DIR|W.npz")
        ->required();
    identify
        ->add_option("--set", raw.identify.changes,
                     "Settings of td for a file of weights, for example num_layers=3 (see info)")
        ->type_name("FIELD=VALUE")
        ->allow_extra_args(false);
    add_threads_option(*identify, raw);
    add_json_flag(*identify, raw, "Print JSON");
}

void describe_describe(CLI::App& app, RawArguments& raw) {
    CLI::App* command = app.add_subcommand(
        "describe", "Say in sentences what the pictures of a run or a figure show; trains if it must");
    command
        ->add_option("name", raw.described.name,
                     "Folder of a run, a figure (see list), a picture of Emergence, or a preset")
        ->type_name("FIGURE|PRESET|FILE|DIR")
        ->required();
    add_threads_option(*command, raw);
}

void describe(CLI::App& app, RawArguments& raw) {
    app.require_subcommand(1);
    app.set_version_flag("--version", "emergence " + version_with_commit(), "Print the version and exit");
    app.set_help_flag("-h,--help", "Print help and exit");

    CLI::App* list = app.add_subcommand("list", "Experiments, figures and presets");
    add_json_flag(*list, raw, "Print JSON");

    CLI::App* info = app.add_subcommand(
        "info", "Every setting of an experiment: default, range, unit, meaning; and its metrics");
    info->add_option("name", raw.info.name, "The experiment, or a figure or preset of it (default: all)")
        ->type_name("EXPERIMENT|FIGURE|PRESET");
    add_json_flag(*info, raw, "Print JSON");

    describe_runs(app, raw);
    describe_checks(app, raw);
    describe_networks(app, raw);
    describe_sweep(app, raw);
    describe_compare(app, raw);
    describe_read(app, raw);
    describe_structure(app, raw);
    describe_identify(app, raw);
    describe_describe(app, raw);
}

void describe_published_commands(CLI::App& app, RawArguments& raw) {
    CLI::App* import = app.add_subcommand(
        "import", "Convert a run of the published code of Wang et al. 2025 into a run folder");
    import
        ->add_option("folder", raw.imported.path,
                     "Folder with data.npz and params.json, or of several such folders")
        ->type_name("DIR")
        ->required();
    import->add_option("--out", raw.imported.out, "Folder for the results")->type_name("DIR")->required();
    add_threads_option(*import, raw);
    add_force_flag(*import, raw);

    CLI::App* exported = app.add_subcommand("export",
                                            "Write a run as the published code of Wang et al. 2025 does: "
                                            "data.npz and params.json, one folder per seed. "
                                            "Trains again to recover the logged values");
    exported->add_option("name", raw.exported.name, "Folder of a run, or a file with its settings")
        ->type_name("DIR|FILE")
        ->required();
    exported->add_option("--out", raw.exported.out, "Folder for the results")->type_name("DIR")->required();
    add_threads_option(*exported, raw);
    add_force_flag(*exported, raw);
}

void describe_handbook_command(CLI::App& app, RawArguments& raw) {
    CLI::App* handbook =
        app.add_subcommand("handbook", "Read the handbook: its chapters, one of them, or a search");
    CLI::Option* chapter =
        handbook->add_option("chapter", raw.handbook.chapter, "Name of the chapter (default: list them)")
            ->type_name("CHAPTER");
    CLI::Option* html =
        handbook->add_option("--html", raw.handbook.html, "Write all chapters as HTML pages into a folder")
            ->type_name("DIR")
            ->excludes(chapter);
    handbook->add_option("--search", raw.handbook.words, "List the places that contain all these words")
        ->type_name("WORDS")
        ->excludes(chapter)
        ->excludes(html);
}

void describe_lesson_command(CLI::App& app, RawArguments& raw) {
    CLI::App* lesson =
        app.add_subcommand("lesson", "List the lessons, check one, or count a class's answers");
    lesson->add_option("action", raw.lesson.action, "list, check, or class")
        ->check(CLI::IsMember({"list", "check", "class"}))
        ->required();
    lesson->add_option("file", raw.lesson.file, "A lesson (TOML), or a shipped one by its name")
        ->type_name("LESSON|FILE");
    lesson->add_flag("--play", raw.lesson.play,
                     "Also play it without a window: does as its texts ask, trains, and checks every answer");
    lesson
        ->add_option("--answers", raw.lesson.answers,
                     "For class: lines 'name: answer', or a folder with a file for each name")
        ->type_name("FILE|DIR");
    lesson->add_option("--step", raw.lesson.step, "For class: the step that they answer (default: 1)")
        ->type_name("N");
    add_threads_option(*lesson, raw);
}

void describe_film_command(CLI::App& app, RawArguments& raw) {
    CLI::App* film = app.add_subcommand(
        "film", "Write a saved run as frames of a film: its moments, and its cues with their sentences");
    film->add_option("folder", raw.film.folder, "Folder of the run")->type_name("DIR")->required();
    film->add_option("--out", raw.film.out, "Folder for the frames")->type_name("DIR")->required();
    film->add_option("--size", raw.film_size, "Of a frame, in pixels (default: 1280x720)")
        ->type_name("WIDTHxHEIGHT");
    film->add_option("--fps", raw.film_rate, "Frames per second (default: 10)")->type_name("N");
    film->add_option("--seconds", raw.film_seconds, "That the run takes, without its cues (default: 20)")
        ->type_name("S");
    add_force_flag(*film, raw);
}

void describe_shell_commands(CLI::App& app, RawArguments& raw) {
    CLI::App* manual = app.add_subcommand("man", "Print a manual page: emergence-cli man | man -l -");
    manual->add_option("page", raw.manual.page, "Which page (default: emergence-cli)")
        ->check(CLI::IsMember({"emergence-cli", "emergence-experiments"}));
    CLI::App* script = app.add_subcommand(
        "completion", "Print a shell's completion script: source <(emergence-cli completion bash)");
    script->add_option("shell", raw.script.shell, "Which shell")
        ->check(CLI::IsMember({"bash", "zsh"}))
        ->required();
}

}  // namespace

void describe_commands(CLI::App& app, RawArguments& raw) {
    describe(app, raw);
    describe_published_commands(app, raw);
    describe_handbook_command(app, raw);
    describe_claims_command(app, raw);
    describe_lesson_command(app, raw);
    describe_film_command(app, raw);
    describe_shell_commands(app, raw);
}

}  // namespace emergence::cli
