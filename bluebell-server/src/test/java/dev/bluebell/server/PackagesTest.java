package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.junit.jupiter.api.Test;

/** The packages of this module, by the classes that theirs name. */
class PackagesTest {
  private static final Pattern OURS = Pattern.compile("dev/bluebell/server/((?:[a-z]+/)*)[A-Z]");

  @Test
  void noPackageNeedsOneThatNeedsIt() throws IOException, URISyntaxException {
    Map<String, Set<String>> needs = needs();
    assertThat(needs).containsKeys("", "remote/");
    needs
        .keySet()
        .forEach(name -> assertThat(reachable(needs, name)).as(name).doesNotContain(name));
  }

  private static Set<String> reachable(Map<String, Set<String>> needs, String from) {
    Set<String> reached = new TreeSet<>();
    List<String> next = List.copyOf(needs.getOrDefault(from, Set.of()));
    while (!next.isEmpty()) {
      List<String> fresh = next.stream().filter(reached::add).toList();
      next = fresh.stream().flatMap(name -> needs.getOrDefault(name, Set.of()).stream()).toList();
    }
    return reached;
  }

  private static Map<String, Set<String>> needs() throws IOException, URISyntaxException {
    Path root =
        Path.of(LocalSocket.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Map<String, Set<String>> needs = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        Matcher self = OURS.matcher(root.relativize(file).toString());
        if (self.lookingAt()) {
          Set<String> named = needs.computeIfAbsent(self.group(1), key -> new TreeSet<>());
          for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
            OURS.matcher(text(entry)).results().map(match -> match.group(1)).forEach(named::add);
          }
          named.remove(self.group(1));
        }
      }
    }
    return needs;
  }

  private static String text(PoolEntry entry) {
    return switch (entry) {
      case ClassEntry type -> type.asInternalName();
      // Descriptors of fields and methods.
      case Utf8Entry text -> text.stringValue();
      default -> "";
    };
  }
}
