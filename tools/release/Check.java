import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a bundle for Maven Central by the rules of its publisher portal: each file has its
 * signature and checksums, each POM its metadata, and each jar its sources and Javadoc. Also checks
 * that the bundle has the modules of the bill of materials, and no others.
 *
 * <p>{@code java tools/release/Check.java BUNDLE} prints what is wrong and ends with 1, or prints
 * what the bundle has. Signatures are verified with gpg's own keyring.
 */
final class Check {
  private static final Map<String, String> DIGESTS = Map.of(".md5", "MD5", ".sha1", "SHA-1");
  private static final List<String> INHERITED = List.of("url", "licenses", "developers", "scm");
  private static final Set<String> BESIDE_THE_BOM = Set.of("bluebell", "bluebell-bom");

  private record Pom(Element xml, Path folder) {}

  private final Path root;
  private final List<String> faults = new ArrayList<>();
  private final Map<String, Pom> poms = new TreeMap<>();

  private Check(Path root) {
    this.root = root;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 1) {
      System.err.println("usage: java tools/release/Check.java BUNDLE");
      System.exit(2);
    }
    try (FileSystem bundle = FileSystems.newFileSystem(Path.of(arguments[0]))) {
      Check check = new Check(bundle.getPath("/"));
      int files = check.files();
      check.components();
      check.faults.forEach(fault -> System.err.println("bundle: " + fault));
      if (!check.faults.isEmpty()) {
        System.exit(1);
      }
      System.out.printf(
          "%s: %d components, %d signed files%n", arguments[0], check.poms.size(), files);
    }
  }

  private void require(boolean condition, String message, Object... about) {
    if (!condition) {
      faults.add(message.formatted(about));
    }
  }

  /** Checks each file by itself, and returns how many there are without what belongs to them. */
  private int files() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).filter(file -> !isBesideAnother(file)).toList();
    }
    Path scratch = Files.createTempDirectory("bundle");
    try {
      for (Path file : files) {
        file(file, scratch);
      }
    } finally {
      Files.deleteIfExists(scratch.resolve("file"));
      Files.deleteIfExists(scratch.resolve("file.asc"));
      Files.delete(scratch);
    }
    return files.size();
  }

  private static boolean isBesideAnother(Path file) {
    String name = file.toString();
    return Stream.of(".asc", ".md5", ".sha1", ".sha256", ".sha512").anyMatch(name::endsWith);
  }

  private void file(Path file, Path scratch) throws Exception {
    Path version = file.getParent();
    Path artifact = version == null ? null : version.getParent();
    Path group = artifact == null ? null : artifact.getParent();
    if (group == null || group.getFileName() == null) {
      faults.add("%s is not at GROUP/ARTIFACT/VERSION".formatted(file));
      return;
    }
    require(
        file.getFileName()
            .toString()
            .startsWith("%s-%s".formatted(artifact.getFileName(), version.getFileName())),
        "%s does not have the name of its artifact and version",
        file);
    require(!version.toString().endsWith("-SNAPSHOT"), "%s belongs to a snapshot", file);
    for (Map.Entry<String, String> digest : DIGESTS.entrySet()) {
      Path sum = file.resolveSibling(file.getFileName() + digest.getKey());
      byte[] bytes = MessageDigest.getInstance(digest.getValue()).digest(Files.readAllBytes(file));
      require(
          Files.exists(sum)
              && Files.readString(sum).strip().equals(HexFormat.of().formatHex(bytes)),
          "%s has no %s with its checksum",
          file,
          digest.getKey());
    }
    Path signature = file.resolveSibling(file.getFileName() + ".asc");
    if (Files.notExists(signature)) {
      faults.add("%s has no signature".formatted(file));
    } else {
      Files.write(scratch.resolve("file"), Files.readAllBytes(file));
      Files.write(scratch.resolve("file.asc"), Files.readAllBytes(signature));
      require(isSigned(scratch), "gpg does not accept the signature of %s", file);
    }
    if (file.toString().endsWith(".pom")) {
      pom(file, group, artifact, version);
    }
  }

  private static boolean isSigned(Path scratch) throws IOException, InterruptedException {
    Process gpg =
        new ProcessBuilder("gpg", "--batch", "--quiet", "--verify", "file.asc", "file")
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return gpg.waitFor() == 0;
  }

  private void pom(Path file, Path group, Path artifact, Path version) throws Exception {
    Element pom;
    try (InputStream stream = Files.newInputStream(file)) {
      pom =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(stream)
              .getDocumentElement();
    }
    poms.put(artifact.getFileName().toString(), new Pom(pom, version));
    Element parent = child(pom, "parent");
    String groupId = text(child(pom, "groupId") == null ? parent : pom, "groupId");
    require(
        root.relativize(group).toString().equals(groupId.replace('.', '/')),
        "%s has the group %s",
        file,
        groupId);
    require(
        text(pom, "artifactId").equals(artifact.getFileName().toString()),
        "%s has the artifact %s",
        file,
        text(pom, "artifactId"));
    require(
        text(child(pom, "version") == null ? parent : pom, "version")
            .equals(version.getFileName().toString()),
        "the version of %s differs from its folder's",
        file);
    require(!text(pom, "name").isEmpty(), "%s has no name", file);
    require(!text(pom, "description").isEmpty(), "%s has no description", file);
    require(child(pom, "repositories") == null, "%s names its own repositories", file);
  }

  /** Checks what concerns several files. */
  private void components() {
    poms.forEach(this::component);
    Pom bom = poms.get("bluebell-bom");
    if (bom == null) {
      faults.add("the bill of materials is missing");
      return;
    }
    Set<String> expected = new TreeSet<>(BESIDE_THE_BOM);
    for (Element managed :
        children(child(child(bom.xml, "dependencyManagement"), "dependencies"))) {
      expected.add(text(managed, "artifactId"));
    }
    require(
        poms.keySet().equals(expected),
        "the bill of materials names %s, but the bundle has %s",
        expected,
        poms.keySet());
  }

  private void component(String artifact, Pom pom) {
    Element parent = child(pom.xml, "parent");
    Pom above = parent == null ? null : poms.get(text(parent, "artifactId"));
    require(parent == null || above != null, "the parent of %s is missing", artifact);
    for (String name : INHERITED) {
      Element found = child(pom.xml, name);
      if (found == null && above != null) {
        found = child(above.xml, name);
      }
      require(found != null, "%s has no %s", artifact, name);
      if (found == null) {
        continue;
      }
      require(isComplete(name, found), "the %s of %s is incomplete", name, artifact);
    }
    if (!text(pom.xml, "packaging").equals("pom")) {
      for (String kind : List.of("", "-sources", "-javadoc")) {
        Path jar =
            pom.folder.resolve("%s-%s%s.jar".formatted(artifact, pom.folder.getFileName(), kind));
        require(Files.exists(jar) && hasFiles(jar), "%s is missing or empty", jar);
      }
    }
  }

  private static boolean isComplete(String name, Element found) {
    return switch (name) {
      case "licenses", "developers" ->
          !children(found).isEmpty()
              && children(found).stream().noneMatch(one -> text(one, "name").isEmpty());
      case "scm" ->
          Stream.of("url", "connection", "developerConnection")
              .noneMatch(part -> text(found, part).isEmpty());
      default -> !found.getTextContent().isBlank();
    };
  }

  private static boolean hasFiles(Path jar) {
    try (FileSystem contents = FileSystems.newFileSystem(jar);
        Stream<Path> inside = Files.walk(contents.getPath("/"))) {
      return inside.filter(Files::isRegularFile).count() > 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Element> children(Element of) {
    List<Element> elements = new ArrayList<>();
    for (Node node = of == null ? null : of.getFirstChild();
        node != null;
        node = node.getNextSibling()) {
      if (node instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static Element child(Element of, String name) {
    return children(of).stream()
        .filter(one -> one.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static String text(Element of, String name) {
    Element found = child(of, name);
    return found == null ? "" : found.getTextContent().strip();
  }
}
