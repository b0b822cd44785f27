//! Takes the files of `static/` into the binary.

fn main() {
    memory_serve::load_directory("static");
}
