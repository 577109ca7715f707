package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The scripts that build and publish a release, run without keys, tokens and network. */
class ReleaseTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Path TOOLS = ROOT.resolve("tools/release");
  private static final Pattern VERSION = Pattern.compile("(?m)^  <version>(.*)</version>$");
  private static final String ARTIFACT = "/dev/bluebell/%s/1.2.3/%s-1.2.3%s";

  @TempDir private Path scratch;

  private record Ended(int code, String output) {}

  private Ended run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder
        .environment()
        .put("PATH", scratch.resolve("bin") + ":" + builder.environment().get("PATH"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
    return new Ended(process.exitValue(), output);
  }

  /** Creates a command with this name from a shell script. */
  private void command(String name, String script) throws IOException {
    Path bin = Files.createDirectories(scratch.resolve("bin"));
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String currentVersion() throws IOException {
    return VERSION
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  /** Source files that can contain the version. */
  private static List<Path> sources() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("", "docs", ".github", "tools", "bluebell-consumers/src")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder), folder.isEmpty() ? 2 : 9)) {
        files
            .filter(file -> file.toString().matches(".*(\\.md|\\.xml|\\.yml|/tools/release/\\w+)"))
            .filter(file -> !ROOT.relativize(file).toString().matches(".*\\btarget/.*"))
            .forEach(found::add);
      }
    }
    return found.stream().distinct().toList();
  }

  @Test
  void aNewVersionReplacesTheOldOneEverywhere() throws Exception {
    String old = currentVersion();
    List<Path> naming = new ArrayList<>();
    for (Path source : sources()) {
      Path copy = scratch.resolve(ROOT.relativize(source).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(source, copy, StandardCopyOption.COPY_ATTRIBUTES);
      String text = Files.readString(copy);
      boolean isAboutReleases =
          copy.endsWith("releasing.md") || copy.startsWith(scratch.resolve("tools/release"));
      if (text.contains(old) && !isAboutReleases) {
        naming.add(copy);
      }
    }
    assertThat(naming).hasSizeGreaterThan(20);
    Files.copy(ROOT.resolve("tools/help.sh"), scratch.resolve("tools/help.sh"));
    Ended ended = run(Map.of(), scratch.resolve("tools/release/version").toString(), "7.8.9");
    assertThat(ended).isEqualTo(new Ended(0, ""));
    for (Path file : naming) {
      assertThat(file).content().contains("7.8.9");
      if (!file.endsWith("CHANGELOG.md")) {
        assertThat(file).content().doesNotContain(old);
      }
    }
    assertThat(scratch.resolve("CHANGELOG.md"))
        .content()
        .containsPattern("## \\[Unreleased]\n\n## \\[7\\.8\\.9] - \\d{4}-\\d\\d-\\d\\d\n");
  }

  @Test
  void aVersionWithAPrefixIsRefused() throws Exception {
    Ended ended = run(Map.of(), TOOLS.resolve("version").toString(), "v1.0");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("'v1.0' is not a version");
  }

  @Test
  void aSnapshotIsNotReleased() throws Exception {
    Path tools = Files.createDirectories(scratch.resolve("clone/tools/release"));
    Files.copy(TOOLS.resolve("make"), tools.resolve("make"));
    for (String sourced : List.of("help.sh", "jdk.sh")) {
      Files.copy(ROOT.resolve("tools").resolve(sourced), tools.resolveSibling(sourced));
    }
    Files.writeString(
        scratch.resolve("clone/pom.xml"), "<project>\n  <version>1.2.3-SNAPSHOT</version>\n");
    Ended ended =
        run(
            Map.of("BLUEBELL_JAVA_HOME", System.getProperty("java.home")),
            "sh",
            tools.resolve("make").toString(),
            scratch.resolve("output").toString());
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("1.2.3-SNAPSHOT is not a release version");
  }

  /** Adds a file with its checksums, and a signature that this test's gpg accepts. */
  private static void add(FileSystem bundle, String name, byte[] content) throws Exception {
    Path file = bundle.getPath(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    for (String digest : List.of("MD5", "SHA-1")) {
      String sum = HexFormat.of().formatHex(MessageDigest.getInstance(digest).digest(content));
      String extension = digest.toLowerCase(Locale.ROOT).replace("-", "");
      Files.writeString(bundle.getPath(name + "." + extension), sum);
    }
    Files.write(bundle.getPath(name + ".asc"), content);
  }

  private byte[] jar() throws IOException {
    Path jar = scratch.resolve("any.jar");
    Files.deleteIfExists(jar);
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
      Files.writeString(files.getPath("/one"), "1");
      Files.writeString(files.getPath("/two"), "2");
    }
    return Files.readAllBytes(jar);
  }

  private static byte[] pom(String artifact, String more) {
    String coordinates =
        "<groupId>dev.bluebell</groupId><artifactId>%s</artifactId><version>1.2.3</version>";
    return ("<project>"
            + coordinates.formatted(artifact)
            + "<name>One</name><description>It is one.</description>"
            + more
            + "</project>")
        .getBytes(UTF_8);
  }

  private Path bundle(String metadata) throws Exception {
    Path zip = scratch.resolve("bundle.zip");
    try (FileSystem bundle = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      String parent =
          "<parent><groupId>dev.bluebell</groupId><artifactId>bluebell</artifactId><version>1.2.3</version></parent>";
      String bom =
          metadata
              + "<dependencyManagement><dependencies><dependency><artifactId>bluebell-hca</artifactId></dependency></dependencies></dependencyManagement>";
      String packaging = "<packaging>pom</packaging>";
      for (Map.Entry<String, String> one :
          Map.of(
                  "bluebell", packaging + metadata,
                  "bluebell-bom", packaging + bom,
                  "bluebell-hca", parent)
              .entrySet()) {
        String artifact = one.getKey();
        add(bundle, ARTIFACT.formatted(artifact, artifact, ".pom"), pom(artifact, one.getValue()));
      }
      for (String kind : List.of("", "-sources", "-javadoc")) {
        add(bundle, ARTIFACT.formatted("bluebell-hca", "bluebell-hca", kind + ".jar"), jar());
      }
    }
    command("gpg", "for file; do last=$file; done; cmp -s \"$last\" \"$last.asc\"");
    return zip;
  }

  private static final String METADATA =
      "<url>https://example.com</url><licenses><license><name>Any</name></license></licenses>"
          + "<developers><developer><name>Somebody</name></developer></developers><scm><url>a</url>"
          + "<connection>b</connection><developerConnection>c</developerConnection></scm>";

  private Ended check(Path bundle) throws Exception {
    return run(
        Map.of(),
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-XX:TieredStopAtLevel=1",
        TOOLS.resolve("Check.java").toString(),
        bundle.toString());
  }

  @Test
  @Tag("slow")
  void aWholeBundlePasses() throws Exception {
    Path bundle = bundle(METADATA);
    assertThat(check(bundle))
        .isEqualTo(new Ended(0, "%s: 3 components, 6 signed files\n".formatted(bundle)));
  }

  @Test
  @Tag("slow")
  void eachFaultOfABundleIsNamed() throws Exception {
    Path zip = bundle(METADATA.replace("<name>Any</name>", "").replaceAll("<scm>.*</scm>", ""));
    try (FileSystem bundle = FileSystems.newFileSystem(zip)) {
      Path folder = bundle.getPath("/dev/bluebell/bluebell-hca/1.2.3");
      Files.delete(folder.resolve("bluebell-hca-1.2.3.jar.md5"));
      Files.writeString(folder.resolve("bluebell-hca-1.2.3.jar.sha1"), "0");
      Files.delete(folder.resolve("bluebell-hca-1.2.3.pom.asc"));
      Files.writeString(folder.resolve("bluebell-hca-1.2.3-sources.jar.asc"), "other");
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(each -> each.toString().contains("-javadoc")).toList()) {
          Files.delete(file);
        }
      }
      add(bundle, "/dev/bluebell/bluebell/maven-metadata.xml", new byte[1]);
      add(bundle, ARTIFACT.formatted("bluebell-lab", "bluebell-lab", ".pom"), pom("other", ""));
    }
    Ended ended = check(zip);
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output())
        .contains("bluebell-hca-1.2.3.jar has no .md5 with its checksum")
        .contains("bluebell-hca-1.2.3.jar has no .sha1 with its checksum")
        .contains("bluebell-hca-1.2.3.pom has no signature")
        .contains("gpg does not accept the signature of")
        .contains("bluebell-hca-1.2.3-javadoc.jar is missing or empty")
        .contains("maven-metadata.xml does not have the name of its artifact and version")
        .contains("bluebell-lab-1.2.3.pom has the artifact other")
        .contains("bluebell-lab has no url")
        .contains("the licenses of bluebell is incomplete")
        .contains("bluebell-hca has no scm")
        .contains("the bill of materials names [bluebell, bluebell-bom, bluebell-hca]");
  }

  /** Uploads to a server that answers with these states, one after another. */
  private Ended publish(List<String> requests, String... states) throws Exception {
    Path folder = Files.createDirectories(scratch.resolve("release"));
    for (String name :
        List.of(
            "bluebell-1.2.3-central.zip",
            "bluebell-1.2.3-linux-x86_64.tar.gz",
            "bluebell_1.2.3_amd64.deb",
            "SHA256SUMS",
            "SHA256SUMS.asc",
            "notes.md")) {
      Files.writeString(folder.resolve(name), "content of " + name);
    }
    command("gh", "echo gh \"$@\"");
    ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>(List.of(states));
    HttpServer central =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    central.createContext(
        "/",
        exchange -> {
          URI uri = exchange.getRequestURI();
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          requests.add(
              "%s %s %s %s"
                  .formatted(
                      exchange.getRequestMethod(),
                      uri,
                      exchange.getRequestHeaders().getFirst("Authorization"),
                      body));
          byte[] answer =
              (uri.getPath().endsWith("/upload")
                      ? "an-id"
                      : "{\"deploymentState\":\"%s\"}".formatted(answers.remove()))
                  .getBytes(UTF_8);
          exchange.sendResponseHeaders(
              uri.getPath().endsWith("/upload") ? 201 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    central.start();
    try {
      return run(
          Map.of(
              "CENTRAL_URL",
              "http://localhost:" + central.getAddress().getPort(),
              "CENTRAL_PAUSE",
              "0",
              "CENTRAL_USERNAME",
              "me",
              "CENTRAL_PASSWORD",
              "secret"),
          TOOLS.resolve("publish").toString(),
          folder.toString());
    } finally {
      central.stop(0);
    }
  }

  @Test
  void aBundleThatCentralAcceptsBecomesADraftOnGitHub() throws Exception {
    List<String> requests = new ArrayList<>();
    Ended ended = publish(requests, "PENDING", "VALIDATING", "VALIDATED");
    assertThat(ended.code()).as(ended.output()).isZero();
    String token = Base64.getEncoder().encodeToString("me:secret".getBytes(UTF_8));
    assertThat(requests).hasSize(4);
    assertThat(requests.getFirst())
        .startsWith(
            "POST /api/v1/publisher/upload?name=bluebell-1.2.3&publishingType=USER_MANAGED Bearer "
                + token)
        .contains("name=\"bundle\"", "content of bluebell-1.2.3-central.zip");
    assertThat(requests.getLast())
        .startsWith("POST /api/v1/publisher/status?id=an-id Bearer " + token);
    assertThat(ended.output())
        .contains("gh release create v1.2.3 --draft --verify-tag")
        .contains("-linux-x86_64.tar.gz", "_amd64.deb", "/SHA256SUMS ", "/SHA256SUMS.asc")
        .doesNotContain("secret", token);
  }

  @Test
  void aBundleThatCentralRefusesDoesNotReachGitHub() throws Exception {
    Ended ended = publish(new ArrayList<>(), "VALIDATING", "FAILED");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output())
        .contains(
            "publish: Maven Central reports for bluebell-1.2.3: {\"deploymentState\":\"FAILED\"}")
        .doesNotContain("gh release");
  }

  @Test
  void theStepsOfTheWorkflowAreScriptsThatExist() throws Exception {
    Map<?, ?> workflow =
        new Yaml().load(Files.readString(ROOT.resolve(".github/workflows/release.yml")));
    Map<?, ?> job = (Map<?, ?>) ((Map<?, ?>) workflow.get("jobs")).get("release");
    List<String> steps =
        ((List<?>) job.get("steps"))
            .stream()
                .map(step -> ((Map<?, ?>) step).get("run"))
                .filter(script -> script != null)
                .map(Object::toString)
                .toList();
    assertThat(steps).hasSizeGreaterThan(5);
    List<String> named =
        Pattern.compile("(?:tools|\\.github)/[\\w./-]*\\w")
            .matcher(String.join("\n", steps))
            .results()
            .map(match -> match.group())
            .toList();
    assertThat(named).hasSizeGreaterThan(3);
    assertThat(named).allMatch(script -> Files.isExecutable(ROOT.resolve(script)));
    for (String tag : List.of("v" + currentVersion(), "v0.0.0")) {
      Ended ended =
          run(
              Map.of("GITHUB_REF_NAME", tag),
              "bash",
              "-e",
              "-c",
              "cd '%s'\n%s".formatted(ROOT, steps.getFirst()));
      assertThat(ended.code()).as(tag).isEqualTo(tag.equals("v0.0.0") ? 1 : 0);
    }
  }
}
