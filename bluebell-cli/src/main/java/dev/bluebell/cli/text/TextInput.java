package dev.bluebell.cli.text;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.wire.CaptureReport;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The input to translate: from arguments, a file, or standard input. */
final class TextInput {
  private static final String BLANK_LINES = "(?m)(^\\s*$\\R?)+";

  /** A complete input: a block of text, or 16 bytes or more in hexadecimal, the shortest entry. */
  private static final Pattern WHOLE =
      Pattern.compile("(?s)\\s*(?:[^{]+\\{.*\\}|(?:0[xX])?[0-9a-fA-F]{32,})\\s*");

  /** Hexadecimal digits never end like this. */
  private static final Pattern CAPTURE_NAME = Pattern.compile("(?s).*\\.(?:pcap|pcapng|cap)");

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "TEXT",
      arity = "0..*",
      description =
          "The text to translate, with a semicolon for each line break; several arguments if each"
              + " is complete. A single argument may name a file instead. Without TEXT, --file or"
              + " standard input is read.")
  private List<String> words = List.of();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Translate the contents of a file.")
  private @Nullable Path file;

  /** True when both arguments and a file are given. */
  boolean isAmbiguous() {
    return file != null && !words.isEmpty();
  }

  /**
   * The file that an option names, or the only argument. An argument that is text need not be a
   * valid path.
   */
  Optional<Path> file() {
    return file == null && words.size() == 1
        ? Optional.of(new File(words.getFirst()))
            .filter(named -> isCaptureName() || named.exists() && !named.isDirectory())
            .map(File::toPath)
        : Optional.ofNullable(file);
  }

  private boolean isCaptureName() {
    return file == null && words.size() == 1 && CAPTURE_NAME.matcher(words.getFirst()).matches();
  }

  /**
   * True for a capture file: it begins as one, or it is the only argument and has the extension of
   * one.
   *
   * @param in the file from its first byte, where it stays; it must support marks
   */
  boolean isCapture(InputStream in) {
    return isCaptureName() || CaptureReport.isCapture(in);
  }

  /** The texts, separated by blank lines, except those that consist of comments only. */
  List<String> texts() {
    List<String> texts =
        Arrays.stream(read().split(BLANK_LINES))
            .filter(text -> lines(text).findFirst().isPresent())
            .toList();
    if (texts.isEmpty()) {
      throw nothing();
    }
    return texts;
  }

  /** The lines of a text without blank lines and comments, each without surrounding space. */
  static Stream<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty() && line.charAt(0) != '#');
  }

  /** The whole text. */
  String text() {
    return required(read());
  }

  /** The whole text of a file that is open. */
  String text(Path file, InputStream in) {
    return required(contents(file, in));
  }

  private String required(String text) {
    if (text.isBlank()) {
      throw nothing();
    }
    return text;
  }

  private ParameterException nothing() {
    return new ParameterException(
        commandLine(),
        "there is nothing to translate: give it as argument, with --file or on standard input");
  }

  /** The exception for a text that can't be translated: wrong usage if it was an argument. */
  RuntimeException wrong(IllegalArgumentException failure) {
    return words.isEmpty() || file().isPresent()
        ? failure
        : new ParameterException(commandLine(), String.valueOf(failure.getMessage()), failure);
  }

  private CommandLine commandLine() {
    return Objects.requireNonNull(spec).commandLine();
  }

  /** Joins the arguments that a shell split; complete inputs stay separate. */
  private String joined() {
    StringBuilder text = new StringBuilder();
    String before = "";
    for (String word : words) {
      boolean apart = isWhole(before) && isWhole(word);
      text.append(before.isEmpty() ? "" : apart ? "\n\n" : " ").append(word.replace(';', '\n'));
      before = word;
    }
    return text.toString();
  }

  private static boolean isWhole(String word) {
    return WHOLE.matcher(word).matches();
  }

  private String read() {
    Optional<Path> named = file();
    if (named.isPresent()) {
      return contents(named.get());
    }
    if (!words.isEmpty()) {
      return joined();
    }
    try {
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new WorkFailed("standard input can't be read: " + e.getMessage());
    }
  }

  private static String contents(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return contents(file, in);
    } catch (IOException e) {
      throw unreadable(file);
    }
  }

  private static String contents(Path file, InputStream in) {
    try {
      // Unlike Files.readString, this replaces bytes that are not UTF-8: logs have such bytes.
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file);
    }
  }

  private static WorkFailed unreadable(Path file) {
    return new WorkFailed("%s can't be read: name a text file that exists".formatted(file));
  }
}
