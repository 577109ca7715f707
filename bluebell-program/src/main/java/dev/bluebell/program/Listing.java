package dev.bluebell.program;

import java.util.List;

/** A program as text: its inputs, its memory and its statements, one per line. */
public final class Listing {
  private static final String STEP = "  ";

  private final StringBuilder text = new StringBuilder();

  private Listing() {}

  /** The text; each line ends with a line feed. */
  public static String of(Program program) {
    Listing listing = new Listing();
    for (Input<?> input : program.inputs()) {
      listing.line("", "input %s, %d bytes".formatted(input, input.bytes()));
    }
    for (Buffer buffer : program.buffers()) {
      listing.line("", "buffer %s of the client, %d bytes".formatted(buffer, buffer.bytes()));
    }
    for (Data data : program.data()) {
      listing.line("", "data %s, %d bytes".formatted(data, data.bytes()));
    }
    for (Subprogram subprogram : Subprogram.of(program.statements())) {
      listing.line("", "subprogram " + subprogram);
      listing.statements(STEP, subprogram.body());
    }
    listing.statements("", program.statements());
    return listing.text.toString();
  }

  private void statements(String indent, List<Statement> statements) {
    for (Statement statement : statements) {
      line(indent, text(statement));
      if (statement instanceof Statement.When when) {
        statements(indent + STEP, when.then());
        if (!when.otherwise().isEmpty()) {
          line(indent, "otherwise");
          statements(indent + STEP, when.otherwise());
        }
      } else if (statement instanceof Statement.Unbounded loop) {
        statements(indent + STEP, loop.body());
      } else if (statement instanceof Statement.Loop loop) {
        for (int lap = 0; lap < loop.laps().size(); lap++) {
          line(indent + STEP, "lap " + lap);
          statements(indent + STEP + STEP, loop.laps().get(lap));
        }
      }
    }
  }

  private void line(String indent, String line) {
    text.append(indent).append(line).append('\n');
  }

  private static String text(Statement statement) {
    return switch (statement) {
      case Statement.Load load ->
          "%s := %d bytes of %s".formatted(load.into(), load.into().bytes(), text(load.from()));
      case Statement.Store store -> "store %s to %s".formatted(store.from(), text(store.to()));
      case Statement.Atomic atomic ->
          "%s := %s: %s".formatted(atomic.before(), text(atomic.word()), atomic.change());
      case Statement.RespondFrom respond ->
          "%s with %d bytes of %s%s"
              .formatted(
                  respond.how(),
                  respond.bytes(),
                  text(respond.from()),
                  respond.behind().isEmpty() ? "" : ", and " + respond.behind());
      default -> statement.toString();
    };
  }

  private static String text(Location location) {
    return switch (location) {
      case Location.At at -> "%s at %s".formatted(at.in(), at.pointer());
      case Location.Indexed indexed -> "%s + %s".formatted(indexed.in(), indexed.offset());
    };
  }
}
