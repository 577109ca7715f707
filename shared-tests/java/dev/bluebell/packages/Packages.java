package dev.bluebell.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packages of a module by the classes that their class files name. The name of a package is
 * relative to that of the module, with dots; the module's own package has the empty name.
 */
public final class Packages {
  private final Map<String, Set<String>> needs = new TreeMap<>();
  private final Pattern ours;

  private Packages(String base) {
    ours = Pattern.compile(Pattern.quote(base) + "/((?:[a-z]+/)*)[A-Z]");
  }

  /**
   * Those of a module.
   *
   * @param member a class in the package of the module's name
   */
  public static Packages of(Class<?> member) {
    try {
      Path root = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
      return in(root, member.getPackageName());
    } catch (URISyntaxException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /**
   * Those of class files.
   *
   * @param root folder of the unnamed package
   * @param base package that the names are relative to
   */
  static Packages in(Path root, String base) {
    Packages found = new Packages(base.replace('.', '/'));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        found.read(root, file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return found;
  }

  private void read(Path root, Path file) throws IOException {
    Matcher self = ours.matcher(root.relativize(file).toString());
    if (!self.lookingAt()) {
      return;
    }
    String own = dotted(self.group(1));
    Set<String> named = needs.computeIfAbsent(own, key -> new TreeSet<>());
    for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
      ours.matcher(text(entry)).results().map(match -> dotted(match.group(1))).forEach(named::add);
    }
    named.remove(own);
  }

  private static String dotted(String folder) {
    return folder.isEmpty() ? "" : folder.substring(0, folder.length() - 1).replace('/', '.');
  }

  private static String text(PoolEntry entry) {
    return switch (entry) {
      case ClassEntry type -> type.asInternalName();
      // Descriptors of fields and methods.
      case Utf8Entry text -> text.stringValue();
      default -> "";
    };
  }

  /** All names. */
  public Set<String> names() {
    return needs.keySet();
  }

  /** The packages that one names. */
  public Set<String> needsOf(String name) {
    return needs.getOrDefault(name, Set.of());
  }

  /** The packages that one reaches over any number of others; itself if it is in a circle. */
  public Set<String> reachableFrom(String name) {
    Set<String> reached = new TreeSet<>();
    List<String> next = List.copyOf(needsOf(name));
    while (!next.isEmpty()) {
      List<String> fresh = next.stream().filter(reached::add).toList();
      next = fresh.stream().flatMap(known -> needsOf(known).stream()).toList();
    }
    return reached;
  }
}
