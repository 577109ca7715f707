import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks that the Java sources below a directory are in google-java-format ({@code check}), or
 * brings them into it ({@code apply}). The build runs it on the toolchain's JDK, because the
 * formatter needs a JDK that knows the language of the sources, and the JDK that runs Maven may be
 * older. Prints nothing when all is well.
 *
 * <p>Formatting takes nearly all of the time, so a file that was found to be formatted is not read
 * by the formatter again: {@code target/formatted.txt} has the hashes of these files.
 */
final class Format {
  private static final byte[] FORMATTER = formatter();

  public static void main(String[] args) throws Exception {
    String mode = args[0];
    Path root = Path.of(args[1]);
    if (!mode.equals("apply") && !mode.equals("check")) {
      fail("-Dformat takes check or apply, not '%s'.", mode);
    }

    List<String> sources = sources(root);
    Path stamp = root.resolve("target/formatted.txt");
    Set<String> known = Files.exists(stamp) ? Set.copyOf(Files.readAllLines(stamp)) : Set.of();
    List<String> unknown = new ArrayList<>();
    for (String file : sources) {
      if (!known.contains(hash(file))) {
        unknown.add(file);
      }
    }
    List<String> unformatted = format("--dry-run", unknown);
    // What the formatter makes of a broken string is sometimes not yet what it would leave alone.
    for (int pass = 0; pass < 5 && mode.equals("apply") && !unformatted.isEmpty(); pass++) {
      format("--replace", unformatted);
      unformatted = format("--dry-run", unformatted);
    }
    List<String> formatted = new ArrayList<>();
    for (String file : sources) {
      if (!unformatted.contains(file)) {
        formatted.add(hash(file));
      }
    }
    Files.createDirectories(stamp.getParent());
    Files.write(stamp, formatted);
    for (String file : unformatted) {
      System.out.println(root.relativize(Path.of(file)));
    }
    if (!unformatted.isEmpty()) {
      fail(
          "%d of %d Java files are not formatted; `mvn -pl tools/format verify -Dformat=apply`"
              + " formats them.",
          unformatted.size(), sources.size());
    }
  }

  /** Runs the formatter; the result is the lines that it printed. */
  private static List<String> format(String option, List<String> files) throws Exception {
    if (files.isEmpty()) {
      return List.of();
    }
    List<String> arguments = new ArrayList<>(files);
    arguments.addFirst(option);
    StringWriter output = new StringWriter();
    PrintWriter errors = new PrintWriter(System.out);
    Main formatter = new Main(new PrintWriter(output), errors, InputStream.nullInputStream());
    int status = formatter.format(arguments.toArray(String[]::new));
    errors.flush();
    if (status != 0) {
      fail("The formatter could not read the code in the lines above; fix it and format again.");
    }
    return output.toString().lines().toList();
  }

  /** Identifies a content together with the formatter that judges it. */
  private static String hash(String file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(FORMATTER);
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(Path.of(file))));
  }

  private static byte[] formatter() {
    try {
      Path jar = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
    } catch (Exception e) {
      throw new IllegalStateException("the formatter's jar can't be read: " + e, e);
    }
  }

  private static List<String> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !isOutput(root.relativize(file)))
          .map(Path::toString)
          .toList();
    }
  }

  private static boolean isOutput(Path file) {
    for (Path part : file) {
      if (part.toString().equals("target") || part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private static void fail(String sentence, Object... arguments) {
    System.out.println(sentence.formatted(arguments));
    System.exit(1);
  }
}
