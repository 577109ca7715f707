package dev.bluebell.cli.text;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.wire.CaptureReport;
import dev.bluebell.hca.text.FileErrors;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private static final int BYTE_ORDER_MARK_BYTES = 2;

  private static final String BLANK_LINES = "(?m)(^\\s*$\\R?)+";

  /** A complete input: a block of text, or 16 bytes or more in hexadecimal, the shortest entry. */
  private static final Pattern WHOLE =
      Pattern.compile("(?s)\\s*(?:[^{]+\\{.*\\}|(?:0[xX])?[0-9a-fA-F]{32,})\\s*");

  /** Hexadecimal digits never end like this. */
  private static final Pattern CAPTURE_NAME = Pattern.compile("(?s).*\\.(?:pcap|pcapng|cap)");

  private static final String STANDARD_INPUT = "-";

  /** The name of standard input in messages. */
  static final Path STDIN = Path.of("/dev/stdin");

  /** A word that can only be a path: it has no spaces, and a dot or a slash. */
  private static final Pattern PATH = Pattern.compile("[^\\s{}=]*[./][^\\s{}=]*");

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "TEXT",
      arity = "0..*",
      description =
          "The text to translate, with a semicolon for each line break; several arguments if each"
              + " is complete. Or the names of files, which are translated one after the other."
              + " Without TEXT and --file, or with '-', standard input is read.")
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

  /** The arguments, or the file that an option names. */
  private List<String> named() {
    return file == null ? words : List.of(file.toString());
  }

  /** True if standard input is to be read. */
  boolean isStandardInput() {
    return named().isEmpty() || named().equals(List.of(STANDARD_INPUT));
  }

  /**
   * The files to read; empty if there is text, or standard input. An argument that is text need not
   * be a valid path.
   */
  List<Path> files() {
    return !isStandardInput() && (file != null || words.stream().allMatch(TextInput::isFile))
        ? named().stream().map(Path::of).toList()
        : List.of();
  }

  private static boolean isFile(String word) {
    File named = new File(word);
    return isCaptureName(word) || named.exists() && !named.isDirectory();
  }

  private static boolean isCaptureName(String word) {
    return CAPTURE_NAME.matcher(word).matches();
  }

  /**
   * True for a capture file: it begins as one, or it is an argument with the extension of one.
   *
   * @param in the file from its first byte, where it stays; it must support marks
   */
  boolean isCapture(Path path, InputStream in) {
    return file == null && isCaptureName(path.toString()) || CaptureReport.isCapture(in);
  }

  /**
   * Opens a file.
   *
   * @throws WorkFailed when it can't be read
   */
  static InputStream open(Path file) {
    if (Files.isDirectory(file)) {
      throw new WorkFailed(folder(file.toString()));
    }
    try {
      return new BufferedInputStream(Files.newInputStream(file));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static String folder(String name) {
    return "%s is a folder: name a file".formatted(name);
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

  /** The whole text of the arguments. */
  String text() {
    return required(joined());
  }

  private String required(String text) {
    if (text.isBlank()) {
      throw nothing();
    }
    return text;
  }

  /**
   * The text of an open file, or of standard input, which can be of any length. Bytes that are not
   * UTF-8 are replaced: logs have such bytes.
   *
   * @param in the file from its first byte; it must support marks
   */
  static BufferedReader reader(InputStream in) throws IOException {
    in.mark(BYTE_ORDER_MARK_BYTES);
    int first = in.read();
    int second = in.read();
    in.reset();
    boolean wide = first == 0xff && second == 0xfe || first == 0xfe && second == 0xff;
    return new BufferedReader(new InputStreamReader(in, wide ? UTF_16 : UTF_8));
  }

  /** The exception for a text that is blank. */
  ParameterException nothing() {
    return new ParameterException(
        commandLine(),
        "there is nothing to translate: give it as argument, with --file or on standard input");
  }

  /**
   * The exception for a text that can't be translated: wrong usage if it was an argument, unless
   * the argument looks like the name of a file that can't be read.
   */
  RuntimeException wrong(IllegalArgumentException failure) {
    if (isStandardInput() || !files().isEmpty()) {
      return failure;
    }
    Optional<String> noFile = noFile();
    return noFile.isPresent()
        ? new WorkFailed(noFile.get())
        : new ParameterException(commandLine(), String.valueOf(failure.getMessage()), failure);
  }

  /** What is wrong with arguments that look like names of files; empty if they look like text. */
  private Optional<String> noFile() {
    Optional<String> folder = words.stream().filter(word -> new File(word).isDirectory()).findAny();
    if (folder.isPresent() || !words.stream().allMatch(word -> PATH.matcher(word).matches())) {
      return folder.map(TextInput::folder);
    }
    return words.stream()
        .filter(word -> !isFile(word))
        .findFirst()
        .map("there is no file "::concat);
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
    if (isStandardInput()) {
      return contents(STDIN, System.in);
    }
    List<Path> files = files();
    return files.isEmpty()
        ? joined()
        : files.stream().map(TextInput::contents).collect(Collectors.joining("\n\n"));
  }

  private static String contents(Path file) {
    try (InputStream in = open(file)) {
      return contents(file, in);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static String contents(Path file, InputStream in) {
    try {
      // Unlike Files.readString, this replaces bytes that are not UTF-8: logs have such bytes.
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static WorkFailed unreadable(Path file, IOException why) {
    return new WorkFailed("%s: %s".formatted(file, FileErrors.reason(why)));
  }
}
