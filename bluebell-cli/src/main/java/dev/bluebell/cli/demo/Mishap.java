package dev.bluebell.cli.demo;

import java.util.List;
import java.util.function.Supplier;

/**
 * One way for things to go wrong. Its page in {@code docs/failures} says what there is to say about
 * it, and shows what happens when it runs.
 *
 * @param page name of the page, without {@code .md}
 * @param title the mistake
 * @param work makes the mistake
 */
record Mishap(String page, String title, Work work) {

  /** Where its page is. */
  String file() {
    return "docs/failures/%s.md".formatted(page);
  }

  /** Runs it on a device of its own. */
  MishapResult run() throws InterruptedException {
    return run(Scene::new);
  }

  /** Runs it on a scene that it opens and closes. */
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
     * Makes the mistake and checks that it is reported as it must be.
     *
     * @return what the sides saw
     * @throws dev.bluebell.cli.command.WorkFailed when it is reported otherwise, or not at all
     */
    List<Finding> run(Scene scene) throws InterruptedException;
  }
}
