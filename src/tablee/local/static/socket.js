/** A WebSocket to the house in this browser, over a port instead of a network; the scripts of the pages do not know the difference. */

(() => {
  /** Where the house lives: its tabs are told when it begins anew in another one. */
  const app = new URL("../", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const news = new BroadcastChannel(`tablee ${app.pathname}`);

  class PortSocket extends EventTarget {
    /** @param {string | URL} url */
    constructor(url) {
      super();
      this.url = String(url);
      this.readyState = PortSocket.CONNECTING;
      const channel = new MessageChannel();
      this.port = channel.port1;
      this.port.onmessage = (event) => this.heard(event.data);
      const house = navigator.serviceWorker.controller;
      if (house) house.postMessage({ t: "socket", path: decodeURIComponent(new URL(url).pathname) }, [channel.port2]);
      else queueMicrotask(() => this.ended(1013));
      this.renewed = () => this.ended(1012);
      news.addEventListener("message", this.renewed);
      window.addEventListener("pagehide", () => this.close(), { once: true });
    }

    /** @param {{t: string, text?: string, code?: number}} message */
    heard(message) {
      if (message.t === "opened") {
        this.readyState = PortSocket.OPEN;
        this.dispatchEvent(new Event("open"));
      } else if (message.t === "frame") {
        this.dispatchEvent(new MessageEvent("message", { data: message.text }));
      } else {
        this.ended(message.code ?? 1006);
      }
    }

    /** @param {string} text */
    send(text) {
      this.port.postMessage({ t: "frame", text });
    }

    close() {
      if (this.readyState >= PortSocket.CLOSING) return;
      this.port.postMessage({ t: "closed" });
      this.ended(1000);
    }

    /** @param {number} code */
    ended(code) {
      if (this.readyState === PortSocket.CLOSED) return;
      this.readyState = PortSocket.CLOSED;
      news.removeEventListener("message", this.renewed);
      this.port.close();
      this.dispatchEvent(new CloseEvent("close", { code }));
    }
  }
  PortSocket.CONNECTING = 0;
  PortSocket.OPEN = 1;
  PortSocket.CLOSING = 2;
  PortSocket.CLOSED = 3;
  Object.assign(window, { WebSocket: PortSocket });
})();
