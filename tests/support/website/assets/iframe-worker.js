// The search runs in a worker. A page opened from a file may not start one: run its script in a hidden frame instead.
// A query for an option (--dice) would be read as a word to leave out, and is refused: send it without the hyphens.
{
  const readable = (message) =>
    message.type === 2 ? { ...message, data: message.data.replace(/(^|\s)--+/g, "$1") } : message;

  class FrameWorker extends EventTarget {
    #waiting = [];

    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      document.documentElement.append(frame);
      this.frame = frame.contentWindow;
      this.frame.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = this.frame.document.createElement("script");
      script.src = new URL(url, location.href).href;
      script.onload = () => {
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting.forEach((message) => this.postMessage(message));
      };
      this.frame.document.body.append(script);
    }

    postMessage(message) {
      if (this.#waiting) this.#waiting.push(message);
      else this.frame.dispatchEvent(new this.frame.MessageEvent("message", { data: message }));
    }
  }

  const Base = location.protocol === "file:" ? FrameWorker : window.Worker;
  window.Worker = class extends Base {
    postMessage(message) {
      super.postMessage(readable(message));
    }
  };
}
