package dev.bluebell.cli.demo;

import java.util.List;
import java.util.function.Supplier;

/**
 * A mistake that makes something fail. Its page in {@code docs/failures} describes it, and shows
 * the result of running it.
 *
 * @param page name of the page, without {@code .md}
 * @param title the mistake
 * @param work makes the mistake
 */
record Mishap(String page, String title, Work work) {

  /** Path of its page. */
  String file() {
    return "docs/failures/%s.md".formatted(page);
  }

  /** Runs it on a new device. */
  MishapResult run() throws InterruptedException {
    return run(Scene::new);
  }

  /** Runs it on a new scene, and closes the scene. */
  MishapResult run(Supplier<Scene> scenes) throws InterruptedException {
    try (Scene scene = scenes.get()) {
      List<Finding> findings = work.run(scene);
      return new MishapResult(this, scene.wrong(), findings, null);
    } catch (NeedsSoftware e) {
      throw e;
    } catch (RuntimeException e) {
      return new MishapResult(this, List.of(), List.of(), String.valueOf(e.getMessage()));
    }
  }

  /** Makes the mistake. */
  @FunctionalInterface
  interface Work {
    /**
     * Makes the mistake and checks that it is reported correctly.
     *
     * @return findings of all sides
     * @throws dev.bluebell.cli.command.WorkFailed when it is reported differently, or not at all
     */
    List<Finding> run(Scene scene) throws InterruptedException;
  }
}
