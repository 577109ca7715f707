package dev.bluebell.cli.demo;

/**
 * The explanation that a run prints for a failure from the public record, in sentences.
 *
 * @param cause why the mistake has its effect, with the field, its value and the right value
 * @param cure the remedy
 */
record Story(String cause, String cure) {}
