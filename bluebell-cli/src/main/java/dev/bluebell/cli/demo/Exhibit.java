package dev.bluebell.cli.demo;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A failure from the public record: a mishap with its history and a fix. Its page is in {@code
 * docs/museum}.
 *
 * @param mishap makes the mistake; its page has the name of the exhibit
 * @param reports threads in which it was reported, such as {@code NVIDIA/nccl#2383}, or the
 *     repository whose notes report it
 * @param reported the symptom as it was reported, in our words
 * @param story the reason why it fails
 * @param repair does the same work without the mistake
 */
record Exhibit(Mishap mishap, List<String> reports, String reported, Story story, Repair repair) {

  /**
   * Creates an exhibit.
   *
   * @param name of the exhibit and its page
   * @param named words that the explanation must contain, on devices that explain
   */
  static Exhibit of(
      String name,
      String title,
      List<String> reports,
      String reported,
      Story story,
      List<String> named,
      Mishap.Work work,
      Repair repair) {
    return new Exhibit(
        new Mishap(name, title, scene -> named(scene, work.run(scene), named)),
        reports,
        reported,
        story,
        repair);
  }

  private static List<Finding> named(Scene scene, List<Finding> findings, List<String> named) {
    List<String> words =
        findings.stream()
            .flatMap(
                finding ->
                    Stream.concat(Stream.of(finding.what()), finding.explanations().stream()))
            .toList();
    for (String word : named) {
      Check.that(
          !scene.explains() || words.stream().anyMatch(each -> each.contains(word)),
          "no explanation names '%s': %s".formatted(word, words));
    }
    return findings;
  }

  String name() {
    return mishap.page();
  }

  /** Path of its page. */
  String file() {
    return "docs/museum/%s.md".formatted(name());
  }

  /** URL of a report. */
  static String link(String report) {
    return "https://github.com/" + report.replace("#", "/issues/");
  }

  /**
   * Makes the mistake, and then does the same work without it, each on a new scene.
   *
   * @throws NeedsSoftware when the scenes are on a device that can't show it
   */
  ExhibitResult run(Supplier<Scene> scenes) throws InterruptedException {
    MishapResult broken = mishap.run(scenes);
    if (broken.complaint() != null) {
      return new ExhibitResult(this, broken, "", broken.complaint());
    }
    try (Scene scene = scenes.get()) {
      return new ExhibitResult(this, broken, repair.run(scene), null);
    } catch (RuntimeException e) {
      return new ExhibitResult(this, broken, "", "it fails when fixed, too: " + e.getMessage());
    }
  }

  /** The correct way to do the work. */
  @FunctionalInterface
  interface Repair {
    /**
     * Does the work without the mistake, and checks the data.
     *
     * @return what was checked
     * @throws dev.bluebell.cli.command.WorkFailed when it fails
     */
    String run(Scene scene) throws InterruptedException;
  }
}
