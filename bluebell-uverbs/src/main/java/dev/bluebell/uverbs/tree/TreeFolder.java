package dev.bluebell.uverbs.tree;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A folder of the tree. It is created when the first entry is added. */
public record TreeFolder(Path path) {
  private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));

  public TreeFolder folder(String name) {
    return new TreeFolder(path.resolve(name));
  }

  /** Writes a file with one line. */
  public TreeFolder put(String name, String line) throws IOException {
    return putText(name, line + "\n");
  }

  public TreeFolder putText(String name, String text) throws IOException {
    Path file = path.resolve(name);
    makeFor(file);
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (SeekableByteChannel channel = Files.newByteChannel(file, fresh, READ_ONLY)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
    }
    return this;
  }

  public TreeFolder link(String name, String target) throws IOException {
    Path link = path.resolve(name);
    makeFor(link);
    Path unused = Files.createSymbolicLink(link, Path.of(target));
    return this;
  }

  private static void makeFor(Path entry) throws IOException {
    Path folder = entry.getParent();
    if (folder != null) {
      Path unused = Files.createDirectories(folder);
    }
  }

  public TreeFolder make() throws IOException {
    Path unused = Files.createDirectories(path);
    return this;
  }

  /** Copies the files of another folder recursively, except existing ones. */
  public void copy(Path from) throws IOException {
    for (Path file : files(from)) {
      String name = from.relativize(file).toString();
      if (!Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
        TreeFolder unused = putText(name, Files.readString(file));
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /** Removes the folder and its contents, if it exists. */
  public void remove() throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(path)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
