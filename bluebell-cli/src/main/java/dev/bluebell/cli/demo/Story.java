package dev.bluebell.cli.demo;

/**
 * What a run says about a failure from the public record, in sentences.
 *
 * @param cause why the mistake has its effect, with the field, its value and the right one
 * @param cure what to do
 */
record Story(String cause, String cure) {}
