package dev.bluebell.cli.trace;

import dev.bluebell.cli.command.WordConverter;

/** Reads what to run. */
final class SceneConverter extends WordConverter<Scene> {
  SceneConverter() {
    super(Scene.class);
  }
}
