package dev.bluebell.uverbs.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Links from the tree to the rest of the machine's sysfs, so that paths with {@code ..} resolve as
 * on a machine with a card.
 */
final class MachineLinks {
  private static final Path SYSFS = Path.of("/sys");

  /** Folders that the tree has in part. */
  private static final List<String> SHARED =
      List.of(
          "",
          "class",
          "class/misc",
          "bus",
          "bus/pci",
          "bus/pci/devices",
          "bus/pci/drivers",
          "devices");

  private MachineLinks() {}

  /** Adds the links to a tree that already has its devices. */
  static void add(TreeFolder tree) throws IOException {
    for (String name : SHARED) {
      TreeFolder folder = tree.folder(name).make();
      Path machine = SYSFS.resolve(name);
      for (Path entry : entries(machine)) {
        String own = entry.getFileName().toString();
        boolean exists = Files.exists(folder.path().resolve(own), LinkOption.NOFOLLOW_LINKS);
        if (!exists && !SHARED.contains(machine.equals(SYSFS) ? own : name + "/" + own)) {
          folder.link(own, target(entry));
        }
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> list = Files.list(folder)) {
      return list.toList();
    }
  }

  // The kernel's relative links resolve to the same targets through the links of the tree.
  private static String target(Path entry) throws IOException {
    return Files.isSymbolicLink(entry)
        ? Files.readSymbolicLink(entry).toString()
        : entry.toString();
  }
}
