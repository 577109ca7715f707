package dev.bluebell.cli.demo;

import java.util.List;
import java.util.function.Supplier;

/**
 * One way for things to go wrong: a mistake that is made, and what there is to say about it. The
 * page in {@code docs/failures} is made from it and from what happens when it runs.
 *
 * @param page name of the page, without {@code .md}
 * @param title the mistake
 * @param story what to say about it
 * @param work makes the mistake
 */
record Mishap(String page, String title, Story story, Work work) {

  /** A mistake of which there is nothing to say. */
  Mishap(String title, Work work) {
    this("", title, new Story("", "", "", ""), work);
  }

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
